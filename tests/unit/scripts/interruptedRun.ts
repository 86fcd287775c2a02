/** A command as npm start is one, with a shell in Pulumi's place: `interruptedRun.ts SCRIPT`. */
import { main } from "../../../cluster/cli/main";
import { interruptible } from "../../../scripts/stack/interruption";

const [script = ""] = process.argv.slice(2);

main(async () => {
  const onOutput = (text: string) => void process.stdout.write(text);
  await interruptible("the shell", ["sh", "-c", script], { onOutput });
});
