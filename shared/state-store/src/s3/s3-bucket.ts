import type { S3Client } from '@aws-sdk/client-s3';
import { proxiedConnections } from '@kopsctl/http/proxied-connections.ts';
import { beforeAbort } from '../before-abort.ts';
import { bucketLocation } from '../bucket-location.ts';
import { probeConditionalWrites } from './probe.ts';
import type { S3Options } from './s3-options.ts';
import { S3_SCHEMES } from './s3-schemes.ts';

type Sdk = typeof import('./s3-sdk.ts');

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]*$/;
const SILENCE_MS = 2 * 60_000;
/** The probe makes some thirty small requests. */
const PROBE_WITHIN_MS = 10 * 60_000;

/** The part of a bucket that a store is in. */
export interface S3Bucket {
  readonly url: string;
  readonly bucket: string;
  readonly options: S3Options;
  /** How a request names the object at a path. */
  readonly target: (path: string) => { readonly Bucket: string; readonly Key: string };
  /** The path of an object in the store, by its key. */
  readonly pathOf: (key: string) => string;
  /** Loads the AWS SDK at the first operation. */
  readonly open: () => Promise<{ readonly sdk: Sdk; readonly client: S3Client }>;
  /** Called before each write: the first one finds out whether the server honours conditions (probe.ts). */
  readonly refuseBlindWrites: (signal: AbortSignal | undefined) => Promise<void>;
}

export function s3Bucket(url: string, options: S3Options): S3Bucket {
  const { bucket, keyPrefix } = bucketLocation(url, S3_SCHEMES, BUCKET_NAME);
  let opened: ReturnType<S3Bucket['open']> | undefined;
  let probed: Promise<void> | undefined;
  const open: S3Bucket['open'] = () => {
    opened ??= import('./s3-sdk.ts').then((sdk) => ({ sdk, client: new sdk.S3Client(clientConfigOf(options)) }));
    return opened;
  };
  /** Amazon S3 honours conditions everywhere since 2024, and a machine may not write where the probe would write. */
  const isAmazons = async (): Promise<boolean> => {
    if (options.endpoint !== undefined) return false;
    const { client } = await open();
    // A profile in ~/.aws/config may name another server (endpoint_url).
    return (await client.config.serviceConfiguredEndpoint?.()) === undefined;
  };
  return {
    url,
    bucket,
    options,
    target: (path) => ({ Bucket: bucket, Key: keyPrefix + path }),
    pathOf: (key) => key.slice(keyPrefix.length),
    open,
    async refuseBlindWrites(signal) {
      if (options.allowBlindWrites === true || (await isAmazons())) return;
      probed ??= open().then(({ sdk, client }) => probeConditionalWrites({ sdk, client, bucket, keyPrefix, url }));
      const probing = probed.catch((thrown: unknown) => {
        probed = undefined; // A probe that failed decides nothing; the next write tries again.
        throw thrown;
      });
      // Other writes wait for the same probe, so it outlives the write that was aborted.
      await beforeAbort(probing, signal, PROBE_WITHIN_MS);
    },
  };
}

function clientConfigOf(options: S3Options) {
  const { silenceMs = SILENCE_MS } = options;
  return {
    region: options.region ?? 'us-east-1',
    // A cluster's bucket may be in another region than the cluster; S3 says in which.
    followRegionRedirects: true,
    // The first limit ends at the head of an answer, the last one holds until the end of its body. Without
    // throwOnRequestTimeout a late answer is only logged.
    requestHandler: {
      connectionTimeout: Math.min(10_000, silenceMs),
      requestTimeout: silenceMs,
      throwOnRequestTimeout: true,
      socketTimeout: silenceMs,
      httpsAgent: proxiedConnections(),
    },
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    ...(options.credentials && { credentials: options.credentials }),
  };
}
