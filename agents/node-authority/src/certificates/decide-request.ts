import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { REQUESTS, type SigningRequest } from './signing-request.ts';

/** Stores a decision about a request, unless another authority was faster or the request is gone. */
export async function decideRequest(
  kube: Pick<KubeClient, 'replace'>,
  { name }: Pick<SigningRequest, 'name'>,
  object: object,
  signal: AbortSignal,
): Promise<void> {
  try {
    // The name of a request may contain characters that end a path in a URL.
    await kube.replace(`${REQUESTS}/${encodeURIComponent(name)}/approval`, object, signal);
  } catch (error) {
    if (!(error instanceof KubeError && (error.status === 409 || error.status === 404))) throw error;
  }
}
