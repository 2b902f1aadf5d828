import type { KubeClient } from './client.ts';
import { asArray, asRecord, asString } from './json.ts';

/** The page size: all pods of a cluster at once can exceed an agent's memory, and a Node takes ten kilobytes or more. */
const PAGE = 100;

/**
 * Lists a collection page by page and calls `onObject` with each object. Returns the resourceVersion of the list.
 *
 * @param path may have a query, such as `?fieldSelector=…`
 * @param pageSize fewer, where objects can be long
 * @throws KubeError with status 410 where the list takes so long that its continue token expires
 */
export async function listObjects(
  kube: Pick<KubeClient, 'get'>,
  path: string,
  signal: AbortSignal,
  onObject: (object: unknown) => void,
  pageSize = PAGE,
): Promise<string> {
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}`;
  let next = '';
  for (;;) {
    const page = asRecord(await kube.get(`${first}${next}`, signal));
    for (const object of asArray(page['items'])) onObject(object);
    const { resourceVersion, continue: token } = asRecord(page['metadata']);
    if (typeof token !== 'string' || token === '') return asString(resourceVersion) ?? '0';
    next = `&continue=${encodeURIComponent(token)}`;
  }
}
