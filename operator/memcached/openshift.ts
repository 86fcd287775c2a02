import { isApiError } from "../runtime";

/** Whether the cluster is OpenShift. Asks the API server once, and again only after an error. */
export function openshiftDetector(discover: (path: string) => Promise<unknown>): () => Promise<boolean> {
  let detected: Promise<boolean> | undefined;
  return () => {
    detected ??= ask(discover).catch((error: unknown) => {
      detected = undefined;
      throw error;
    });
    return detected;
  };
}

async function ask(discover: (path: string) => Promise<unknown>): Promise<boolean> {
  try {
    await discover("/apis/security.openshift.io");
    return true;
  } catch (error) {
    // Every OpenShift allows discovery.
    if (isApiError(error, 404) || isApiError(error, 403)) return false;
    throw error;
  }
}
