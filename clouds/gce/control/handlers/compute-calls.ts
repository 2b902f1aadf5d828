import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import type { GoogleRequest } from '@kopsctl/google/google-api.ts';
import { answerFields } from '../../node/compute.ts';
import { change as changeIn, type Place } from '../../node/operation.ts';
import type { GceCloud } from './gce-cloud.ts';
import { isNotFound } from './google-error.ts';

/**
 * Where a resource is in Compute Engine, whatever the server: `projects/acme/regions/us-east1/addresses/api`. Requests may
 * refer to resources by it.
 */
export type ResourcePath = `projects/${string}`;

export const resourcePath = (project: string, place: Place, collection: string, name: string): ResourcePath =>
  `projects/${project}/${place}/${collection}/${name}`;

/** The path in a URL that Google answers, which may be that of another host or version of the API. */
export const pathIn = (url: string): string => url.slice(Math.max(0, url.indexOf('projects/')));

/** The last part: the name of the resource. */
export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const urlOf = ({ endpoints }: Pick<GceCloud, 'endpoints'>, path: string): string => `${endpoints.compute}/${path}`;

/** A resource; undefined if there is none. */
export async function read(
  gce: Pick<GceCloud, 'api' | 'endpoints'>,
  path: ResourcePath,
  signal: AbortSignal,
): Promise<AnswerFields | undefined> {
  try {
    return answerFields(await gce.api.call({ method: 'GET', url: urlOf(gce, path) }, signal));
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw thrown;
  }
}

export interface Change {
  readonly method: Exclude<GoogleRequest['method'], 'GET'>;
  /** The resource or, to create one, its collection; with a verb after it where Google has one: `…/setLabels`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** As kops waits (upup/pkg/fi/cloudup/gce/op.go): a managed group of many machines is deleted with all of them. */
export const DONE_WITHIN_MS = 30 * 60_000;

/** Changes something and waits until it is done. Google makes the change once, however often the request arrives. */
export async function change(gce: GceCloud, { method, path, query, body }: Change, signal: AbortSignal): Promise<void> {
  const [, project, place] = /^projects\/([^/]+)\/(global|regions\/[^/]+|zones\/[^/]+)\//.exec(path) ?? [];
  if (project === undefined || place === undefined) throw new Error(`${path} is not a path of Compute Engine`);
  const parameters = new URLSearchParams({ ...query, requestId: gce.newRequestId() });
  const request = { method, url: `${urlOf(gce, path)}?${parameters.toString()}`, ...(body && { body }) };
  const compute = { api: gce.api, endpoint: gce.endpoints.compute, project };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the expression above allows nothing else
  await changeIn(compute, { place: place as Place, request, doneWithinMs: DONE_WITHIN_MS }, signal);
}

/** Creates a resource at a path, whose name is the last part of it. */
export async function insert(gce: GceCloud, path: ResourcePath, body: object, signal: AbortSignal): Promise<void> {
  const collection = path.slice(0, path.lastIndexOf('/'));
  await change(gce, { method: 'POST', path: collection, body: { name: nameIn(path), ...body } }, signal);
}

/** Deletes a resource, if there is one. */
export async function remove(gce: GceCloud, path: string, signal: AbortSignal): Promise<void> {
  try {
    await change(gce, { method: 'DELETE', path }, signal);
  } catch (thrown) {
    if (!isNotFound(thrown)) throw thrown;
  }
}

/** Google's limit. */
const PAGE = '500';

/** The items of a list that Google gives by POST, page by page. */
export async function listByPost(
  gce: GceCloud,
  path: string,
  items: string,
  signal: AbortSignal,
): Promise<readonly AnswerFields[]> {
  const found: AnswerFields[] = [];
  let pageToken = '';
  do {
    const query = new URLSearchParams({ maxResults: PAGE, ...(pageToken !== '' && { pageToken }) });
    const request = { method: 'POST', url: `${urlOf(gce, path)}?${query.toString()}` } as const;
    const page = answerFields(await gce.api.call(request, signal));
    found.push(...page.list(items));
    pageToken = page.text('nextPageToken', '');
  } while (pageToken !== '');
  return found;
}

interface Listing {
  readonly project: string;
  /** Aggregated lists have the items of all places. */
  readonly place: Place | 'aggregated';
  readonly collection: string;
  /** The fields of each item, so that answers contain only what is read. */
  readonly fields: string;
  readonly filter?: string;
}

/** The items of a collection, page by page. An aggregated list needs every place: what one does not report cannot be deleted. */
export async function list(
  gce: GceCloud,
  { project, place, collection, fields, filter }: Listing,
  signal: AbortSignal,
): Promise<readonly AnswerFields[]> {
  const isAggregated = place === 'aggregated';
  const found: AnswerFields[] = [];
  let pageToken = '';
  do {
    const query = new URLSearchParams({
      fields: `nextPageToken,${isAggregated ? `items/*/${collection}(${fields})` : `items(${fields})`}`,
      maxResults: PAGE,
      ...(filter !== undefined && { filter }),
      ...(pageToken !== '' && { pageToken }),
    });
    const url = urlOf(gce, `projects/${project}/${place}/${collection}?${query.toString()}`);
    const page = answerFields(await gce.api.call({ method: 'GET', url }, signal));
    const parts = isAggregated
      ? page.objects('items').flatMap(([, part]) => part.list(collection))
      : page.list('items');
    found.push(...parts);
    pageToken = page.text('nextPageToken', '');
  } while (pageToken !== '');
  return found;
}
