/** An environment variable of a container. */
export interface EnvVar {
  name: string;
  value: string;
}

const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

/**
 * The proxy variables that the operator itself runs with, in upper and lower case, for the servers: programs differ in
 * which case they read. A case that is missing takes the other's value; a variable set in neither is left out.
 */
export function proxyVariables(env: Record<string, string | undefined>): EnvVar[] {
  return names.flatMap((upper) => {
    const lower = upper.toLowerCase();
    const upperValue = env[upper] || env[lower];
    const lowerValue = env[lower] || env[upper];
    if (!upperValue || !lowerValue) return [];
    return [
      { name: upper, value: upperValue },
      { name: lower, value: lowerValue },
    ];
  });
}
