import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { ClusterHost } from './cluster-host.ts';
import { requireOwn } from './own-cluster.ts';
import { socketRequest } from './socket-request.ts';

/** Sends a request to the supervisor of our own cluster. @throws ActionableError if none answers */
export async function callSupervisor(
  host: ClusterHost,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  await requireOwn(host);
  try {
    return await socketRequest(host.paths.socket, method, path, options);
  } catch (error) {
    if (!isAway(error)) throw error;
    throw new ActionableError({
      what: `reach the local cluster ${host.cluster}`,
      why: `no supervisor answers at ${host.paths.socket}`,
      next: '`kopsctl apply --yes` starts it again',
      cause: error,
    });
  }
}

/** Whether there is no supervisor: no socket, nothing listens on it, or the supervisor ended during the response. */
export function isAway(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '');
}
