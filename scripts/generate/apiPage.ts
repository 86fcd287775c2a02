import { join } from "node:path";
import ts from "typescript";
import { code, markdownTable as table } from "../../bench/table";
import { notice } from "./yaml";

const root = join(__dirname, "..", "..");
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  esModuleInterop: true,
  strict: true,
  noEmit: true,
};

/** What the package exports: each name with the declaration that documents it. */
function exported(checker: ts.TypeChecker, entry: ts.SourceFile): ts.Symbol[] {
  return checker
    .getExportsOfModule(checker.getSymbolAtLocation(entry)!)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
}

const words = (parts: ts.SymbolDisplayPart[]): string => ts.displayPartsToString(parts).trim();
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function tag(symbol: ts.Symbol, checker: ts.TypeChecker, name: string): string | undefined {
  const found = symbol.getJsDocTags(checker).find((each) => each.name === name);
  return found && words(found.text ?? []);
}

/** The type as it is written, which is how it is read. */
function writtenType(symbol: ts.Symbol): string {
  const declaration = symbol.valueDeclaration;
  const typed = declaration && (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration));
  return typed && declaration.type ? oneLine(declaration.type.getText()) : "";
}

const propertiesOf = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] =>
  checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));

function interfaceSection(symbol: ts.Symbol, checker: ts.TypeChecker, all: ts.Symbol[]): string {
  const properties = propertiesOf(symbol, checker);
  const whole = all.find((other) => other !== symbol && hasAll(propertiesOf(other, checker), properties));
  if (whole) return `All of these are among ${whole.name}, where they are described.`;
  const rows = properties.map((property) => {
    const required = !(property.flags & ts.SymbolFlags.Optional);
    const example = tag(property, checker, "example");
    const meaning = oneLine(words(property.getDocumentationComment(checker)));
    const type = writtenType(property);
    return [
      code(property.name),
      code(type),
      required ? "required" : "",
      example ? code(oneLine(example)) : "",
      meaning,
    ];
  });
  return table(["Argument", "Type", "", "Example", "Meaning"], rows);
}

/** Whether the properties are declared once for both: those of an interface that the other extends. */
const hasAll = (properties: ts.Symbol[], wanted: ts.Symbol[]): boolean =>
  wanted.every((one) => properties.some((other) => other.valueDeclaration === one.valueDeclaration));

function classSection(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const declaration = symbol.valueDeclaration as ts.ClassDeclaration;
  const constructor = declaration.members.find(ts.isConstructorDeclaration)!;
  const signature = checker.getSignatureFromDeclaration(constructor)!;
  const parameters = constructor.parameters.map((p) => {
    const optional = (p.questionToken ?? p.initializer) ? "?" : "";
    return `${p.name.getText()}${optional}: ${p.type!.getText()}`;
  });
  const described = signature.getParameters().map((p) => [code(p.name), words(p.getDocumentationComment(checker))]);
  const throws = signature.getJsDocTags().find((each) => each.name === "throws");
  const outputs = declaration.members.filter(ts.isPropertyDeclaration).map((member) => {
    const property = checker.getSymbolAtLocation(member.name)!;
    return [
      code(property.name),
      code(writtenType(property)),
      oneLine(words(property.getDocumentationComment(checker))),
    ];
  });
  return [
    `\`\`\`ts\nnew ${symbol.name}(${parameters.join(", ")})\n\`\`\``,
    table(["Parameter", "Meaning"], described),
    ...(throws ? [`Throws ${oneLine(words(throws.text ?? []))}.`] : []),
    table(["Output", "Type", "Meaning"], outputs),
  ].join("\n\n");
}

function constantSection(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const type = checker.getTypeOfSymbolAtLocation(symbol, symbol.valueDeclaration!);
  return `One of ${checker
    .getPropertiesOfType(type)
    .map((p) => code(`${symbol.name}.${p.name}`))
    .join(", ")}.`;
}

function functionSection(symbol: ts.Symbol): string {
  const declaration = symbol.valueDeclaration as ts.FunctionDeclaration;
  const parameters = declaration.parameters.map((p) => oneLine(p.getText())).join(", ");
  return `\`\`\`ts\n${symbol.name}(${parameters}): ${declaration.type?.getText() ?? "void"}\n\`\`\``;
}

function body(symbol: ts.Symbol, checker: ts.TypeChecker, all: ts.Symbol[]): string {
  if (symbol.flags & ts.SymbolFlags.Class) return classSection(symbol, checker);
  if (symbol.flags & ts.SymbolFlags.Function) return functionSection(symbol);
  if (symbol.flags & ts.SymbolFlags.Interface) return interfaceSection(symbol, checker, all);
  return constantSection(symbol, checker);
}

function section(symbol: ts.Symbol, checker: ts.TypeChecker, all: ts.Symbol[]): string {
  const meaning = words(symbol.getDocumentationComment(checker));
  return [`## ${symbol.name}`, meaning, body(symbol, checker, all)].filter(Boolean).join("\n\n");
}

/** docs/api.md: the classes and arguments of the package, from their doc comments. */
export function apiPage(): string {
  const file = join(root, "components", "index.ts");
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const symbols = exported(checker, program.getSourceFile(file)!);
  const { Class, Function, Interface, Variable } = ts.SymbolFlags;
  const sorted = [Class, Function, Interface, Variable].flatMap((flag) => symbols.filter((one) => one.flags & flag));
  return `<!-- ${notice} -->

# API of pulumi-memcached-operator

What the package exports. What the fields of a cache mean in the cluster is in [reference.md](reference.md); how the
components are used from YAML, Python and other languages is in [languages.md](languages.md).

${sorted.map((symbol) => section(symbol, checker, symbols)).join("\n\n")}
`;
}
