import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { CLUSTER_LABEL, clusterLabel } from './labels.ts';
import { callCompute, type Compute } from './compute.ts';
import { lastPart } from './resource-name.ts';

export interface Listed<T> {
  readonly items: readonly T[];
  /** Zones that did not respond, so that the list is incomplete. */
  readonly unreachable: ReadonlySet<string>;
}

export interface Listing {
  readonly kind: 'instances' | 'disks';
  readonly cluster: string;
  /** The fields of each item, so that responses do not contain the user data of all machines. */
  readonly fields: string;
}

/** Google's limit. With the requested fields an instance is about 1 kB. */
const PAGE = 500;

/**
 * All items of a kind with the cluster's label, in all zones, page by page. A single zone that does not respond would
 * make the whole call fail, so partial results are requested (returnPartialSuccess).
 */
export async function listAll<T>(
  compute: Compute,
  listing: Listing,
  parse: (item: AnswerFields) => readonly T[],
  signal: AbortSignal,
): Promise<Listed<T>> {
  const { kind, cluster, fields } = listing;
  const projectUrl = `${compute.endpoint}/projects/${compute.project}`;
  const items: T[] = [];
  const unreachable = new Set<string>();
  let pageToken = '';
  do {
    const query = new URLSearchParams({
      filter: `labels.${CLUSTER_LABEL} = "${clusterLabel(cluster)}"`,
      fields: `nextPageToken,unreachables,items/*/warning/code,items/*/${kind}(${fields})`,
      maxResults: String(PAGE),
      returnPartialSuccess: 'true',
      ...(pageToken === '' ? {} : { pageToken }),
    });
    const page = await callCompute(
      compute,
      {
        what: `list the ${kind} of ${cluster}`,
        request: { method: 'GET', url: `${projectUrl}/aggregated/${kind}?${query.toString()}` },
        needs: { permission: `compute.${kind}.list`, scope: 'compute.readonly' },
      },
      signal,
    );
    for (const url of page.texts('unreachables')) unreachable.add(lastPart(url));
    // By scope, such as `zones/us-east1-b`.
    for (const [scope, part] of page.objects('items')) {
      const warning = part.has('warning') ? part.object('warning').text('code', '') : '';
      if (INCOMPLETE.includes(warning)) unreachable.add(lastPart(scope));
      items.push(...part.list(kind).flatMap(parse));
    }
    pageToken = page.text('nextPageToken', '');
  } while (pageToken !== '');
  return { items, unreachable };
}

const INCOMPLETE: readonly string[] = ['UNREACHABLE', 'PARTIAL_SUCCESS'];
