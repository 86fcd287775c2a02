import { isApiError } from "../runtime";

/** Answers whether this is OpenShift: asks the API server once, and again only while that fails. */
export function openshiftDetector(discover: (path: string) => Promise<unknown>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    answer ??= ask(discover).catch((error: unknown) => {
      answer = undefined;
      throw error;
    });
    return answer;
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
