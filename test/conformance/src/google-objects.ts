import { createHash } from 'node:crypto';
import type { Bucket } from './google-policies.ts';
import { notFound, type Refusal, refuse } from './google-refusal.ts';
import type { CheckedRequest, Media } from './google-schema.ts';

export interface StoredObject {
  readonly content: Media;
  readonly cacheControl?: string | undefined;
  readonly generation: string;
  /** Undefined where the bucket has none. */
  readonly acl?: readonly { readonly entity: string; readonly role: string }[];
}

const OWNER = { entity: 'user-operator@example.com', role: 'OWNER' };

/**
 * Objects of Cloud Storage, in memory: one that is there is replaced only by a request that knows it, and the list of its
 * readers is shown only on request.
 */
export class ObjectState {
  /** By `BUCKET/NAME`. */
  readonly stored = new Map<string, StoredObject>();
  readonly #buckets: ReadonlyMap<string, Bucket>;
  #generations = 1_700_000_000_000_000;

  constructor(buckets: ReadonlyMap<string, Bucket>) {
    this.#buckets = buckets;
  }

  answer({ method, parameters, body, media }: CheckedRequest): object | Refusal {
    const given = (body ?? {}) as { readonly name?: string; readonly cacheControl?: string };
    const { bucket: bucketName = '', object = '', projection } = parameters;
    const { name = object, cacheControl } = given;
    const bucket = this.#buckets.get(bucketName);
    if (bucket === undefined) return notFound(bucketName);
    const path = `${bucketName}/${name}`;
    const before = this.stored.get(path);
    if (method.id === 'storage.objects.get') {
      return before === undefined ? notFound(path) : shown(bucketName, name, before, projection === 'full');
    }
    if (media === undefined) throw new Error(`the server does not know ${method.id} without a file`);
    const { ifGenerationMatch = '', predefinedAcl } = parameters;
    if (ifGenerationMatch !== (before?.generation ?? '0')) {
      return refuse(412, 'conditionNotMet', 'At least one of the pre-conditions you specified did not hold.');
    }
    if (predefinedAcl !== undefined && bucket.isUniform) {
      const why = 'Cannot use ACL API to update bucket policy when uniform bucket-level access is enabled.';
      return refuse(400, 'invalid', why);
    }
    const isPublic = predefinedAcl === 'publicRead';
    if (isPublic && bucket.preventsPublicAccess !== undefined) {
      const why =
        'The member bindings allUsers and allAuthenticatedUsers are not allowed since public access prevention is enforced.';
      return refuse(412, 'conditionNotMet', why);
    }
    this.#generations += 1;
    const made: StoredObject = {
      content: media,
      cacheControl,
      generation: String(this.#generations),
      ...(!bucket.isUniform && { acl: [OWNER, ...(isPublic ? [{ entity: 'allUsers', role: 'READER' }] : [])] }),
    };
    this.stored.set(path, made);
    return shown(bucketName, name, made, false);
  }
}

const shown = (
  bucket: string,
  name: string,
  { content, cacheControl, generation, acl }: StoredObject,
  isWhole: boolean,
): object => ({
  bucket,
  name,
  generation,
  size: String(Buffer.byteLength(content.text)),
  contentType: content.type,
  ...(cacheControl !== undefined && { cacheControl }),
  md5Hash: createHash('md5').update(content.text).digest('base64'),
  ...(isWhole && acl && { acl }),
});
