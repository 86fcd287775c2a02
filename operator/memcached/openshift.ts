import { isApiError } from "../runtime";

/** Tells whether this is OpenShift: asks the API server once, and again only while that fails. */
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
    // Where even discovery is forbidden nothing can be learned; every OpenShift allows it.
    if (isApiError(error, 404) || isApiError(error, 403)) return false;
    throw error;
  }
}
