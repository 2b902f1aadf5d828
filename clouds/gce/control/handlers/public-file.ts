import { createHash } from 'node:crypto';
import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { differences } from '@kopsctl/tasks/differences.ts';
import { type Handler, KNOWN_AFTER_APPLY } from '@kopsctl/tasks/task.ts';
import type { PropsOf } from '../kinds/gce-kinds.ts';
import { missingBucket } from './buckets.ts';
import type { GceCloud, GceEnv } from './gce-cloud.ts';
import { doing, isNotFound } from './google-error.ts';
import { multipart } from './multipart.ts';
import { EVERYBODY, publicAccessPrevented, type PublicBy, publicBy } from './public-access.ts';

type Props = PropsOf<'gce/PublicFile'>;

interface FoundFile {
  /** Google knows it of every object but those that were composed of others. */
  readonly md5: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly isPublic: boolean;
  readonly generation: string;
}

/**
 * A file that everybody may read (https://cloud.google.com/storage/docs/json_api/v1/objects). It stays when the cluster is
 * deleted: the bucket is the user's, and tokens may be checked for a while.
 */
export const publicFileHandler: Handler<GceEnv, Props, FoundFile> = {
  kind: 'gce/PublicFile',
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by gceTask, which holds it to the same contract
  parse: (props) => props as unknown as Props,

  find: (name, props, { gce }, signal) =>
    doing(`look for file ${name}`, async () => look(gce, props, await wayOf(gce, props, signal), signal)),

  plan(name, props, found) {
    if (found === undefined) return [{ action: 'create', summary: `create file ${name} (${urlOf(props)})` }];
    const { content, contentType, cacheControl, isReadInPlace } = props;
    const { generation: _, isPublic, ...present } = found;
    const md5 = content === KNOWN_AFTER_APPLY ? content : md5Of(content);
    const changes = differences(
      { md5, contentType, cacheControl, ...(isReadInPlace && { isPublic: true }) },
      { ...present, ...(isReadInPlace && { isPublic }) },
    );
    return changes.length === 0
      ? []
      : [{ action: 'update', summary: `change file ${name} (${urlOf(props)})`, changes }];
  },

  apply: (_step, name, props, { gce }, signal) =>
    doing(`write file ${name}`, async () => {
      const way = await wayOf(gce, props, signal);
      const before = await look(gce, props, way, signal);
      await upload(gce, props, { way, generation: before?.generation ?? NOT_THERE }, signal);
    }),
};

const urlOf = ({ bucket, name }: Props): string => `gs://${bucket}/${name}`;
const md5Of = (text: string): string => createHash('md5').update(text).digest('base64');

/** The generation of an object that does not exist, in conditions. */
const NOT_THERE = '0';

/** How everybody comes to read the file; undefined where that is the task of a server of the user's. */
const wayOf = async (
  gce: GceCloud,
  { bucket, isReadInPlace }: Props,
  signal: AbortSignal,
): Promise<PublicBy | undefined> => (isReadInPlace ? publicBy(gce, bucket, signal) : undefined);

async function look(
  gce: GceCloud,
  { bucket, name }: Props,
  way: PublicBy | undefined,
  signal: AbortSignal,
): Promise<FoundFile | undefined> {
  const fields = 'md5Hash,contentType,cacheControl,generation';
  // Google shows the readers of an object only to its owners, and only on request.
  const query = new URLSearchParams(
    way === 'object' ? { fields: `${fields},acl(entity)`, projection: 'full' } : { fields },
  );
  const url = `${gce.endpoints.storage}/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(name)}`;
  try {
    const answer = await gce.api.call({ method: 'GET', url: `${url}?${query.toString()}` }, signal);
    const found = new AnswerFields(answer, 'Cloud Storage');
    return {
      md5: found.text('md5Hash', ''),
      contentType: found.text('contentType', ''),
      cacheControl: found.text('cacheControl', ''),
      // Every entry of a list lets its entity read.
      isPublic: way === 'bucket' || found.list('acl').some((entry) => entry.text('entity') === EVERYBODY),
      generation: found.text('generation'),
    };
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw thrown;
  }
}

/** Writes the file unless somebody else has written it meanwhile, so that a request that is repeated writes it once. */
async function upload(
  gce: GceCloud,
  { bucket, name, content, contentType, cacheControl }: Props,
  { way, generation }: { readonly way: PublicBy | undefined; readonly generation: string },
  signal: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams({
    uploadType: 'multipart',
    ifGenerationMatch: generation,
    ...(way === 'object' && { predefinedAcl: 'publicRead' }),
  });
  const url = `${gce.endpoints.storage}/upload/storage/v1/b/${encodeURIComponent(bucket)}/o?${query.toString()}`;
  try {
    const media = multipart({ name, cacheControl }, { type: contentType, text: content });
    await gce.api.call({ method: 'POST', url, media }, signal);
  } catch (thrown) {
    if (isNotFound(thrown)) throw missingBucket(bucket, thrown);
    throw isPrevented(thrown) ? publicAccessPrevented(bucket, thrown) : thrown;
  }
}

/** An organization that prevents public access shows only in the refusal, which has the status of a failed condition. */
const isPrevented = (thrown: unknown): boolean =>
  thrown instanceof GoogleRefusal && thrown.status === 412 && /public access prevention/i.test(thrown.said);
