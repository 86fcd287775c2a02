/** An environment variable of a container. */
export interface EnvVar {
  name: string;
  value: string;
}

const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/**
 * The operator's own proxy variables for the servers, in upper and lower case, because programs differ in which they read. A missing
 * case gets the value of the other; a variable that is set in neither is left out.
 */
export function proxyVariables(env: Record<string, string | undefined>): EnvVar[] {
  return names.flatMap((upper) => {
    const lower = upper.toLowerCase();
    return [
      { name: upper, value: env[upper] || env[lower] },
      { name: lower, value: env[lower] || env[upper] },
    ].filter((variable): variable is EnvVar => Boolean(variable.value));
  });
}
