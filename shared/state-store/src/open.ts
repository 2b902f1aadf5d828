import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { parseAcl, parseEncryption } from './s3/s3-options.ts';
import { isInS3, needsServer } from './s3/s3-schemes.ts';
import type { StateStore } from './store.ts';

/** What opening may depend on in the environment of the process, e.g. `process.env`. */
export type StoreEnvironment = Readonly<Record<string, string | undefined>>;

const NAME_IT =
  'name it with --state or KOPS_STATE_STORE, e.g. --state file:///var/lib/kops or --state s3://my-bucket/kops';

/**
 * Opens the store that `url` names. Only the code of that one kind of store is loaded.
 *
 * @param isPrivate of files that are written, only their owner may read any; buckets have policies of their own
 */
export async function openStore(
  url: string,
  env: StoreEnvironment,
  { isPrivate = false }: { readonly isPrivate?: boolean } = {},
): Promise<StateStore> {
  if (isInS3(url)) return openS3(url, env);
  const scheme = schemeOf(url);
  switch (scheme) {
    case 'file':
      return (await import('./file/file-store.ts')).createFileStore(url, { isPrivate });
    case 'memory':
      return (await import('./memory.ts')).createMemoryStore({ url });
    case 'http':
      refuseFar(url);
      return (await import('./http/http-store.ts')).createHttpStore(url);
    case 'https':
      if (!URL.canParse(url)) throw cannotOpen(url, 'it names no server');
      return (await import('./http/http-store.ts')).createHttpStore(url);
    case 'gs':
      return (await import('./gcs/gcs-store.ts')).createGcsStore(url, gcsOptionsOf(env));
    case undefined:
      throw cannotOpen(url, url === '' ? 'no state store was named' : 'it is not a URL');
    default:
      throw cannotOpen(
        url,
        `${scheme}:// is not a kind of state store (known: file, s3, gs, http, https, memory; ` +
          'do, hos, linode and scw with S3_ENDPOINT)',
      );
  }
}

async function openS3(url: string, env: StoreEnvironment): Promise<StateStore> {
  if (needsServer(url) && !env['KOPS_S3_ENDPOINT'] && !env['S3_ENDPOINT']) {
    throw new ActionableError({
      what: `open the state store ${JSON.stringify(url)}`,
      why: `nothing names the S3 server that has the buckets of ${schemeOf(url)}://`,
      next: 'set S3_ENDPOINT to its address, and S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to its keys',
    });
  }
  return (await import('./s3/s3-store.ts')).createS3Store(url, s3OptionsOf(env));
}

/** This computer, and link-local addresses, which no router forwards: the metadata service of a machine. */
const NEAR = /^(localhost|127\.\d+\.\d+\.\d+|169\.254\.\d+\.\d+|\[::1\]|\[fe80:.*\])$/;

/** The store holds keys and says what is applied to the cluster, so its server has to prove its identity. */
function refuseFar(url: string): void {
  if (URL.canParse(url) && NEAR.test(new URL(url).hostname)) return;
  throw cannotOpen(url, 'plain http reaches only this machine and its metadata service; use https');
}

function schemeOf(url: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):\/\//.exec(url)?.[1];
}

function s3OptionsOf(env: StoreEnvironment) {
  const sse = env['KOPS_S3_SSE'];
  const own = env['KOPS_S3_ENDPOINT'];
  const ofKops = own ? undefined : env['S3_ENDPOINT'];
  const endpoint = own || ofKops || env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'];
  const region = env['KOPS_S3_REGION'] || env['S3_REGION'] || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  const acl = env['KOPS_STATE_S3_ACL']?.trim();
  return {
    ...(endpoint && { endpoint: withScheme(endpoint) }),
    ...(region && { region }),
    ...(ofKops && credentialsOfKops(env)),
    allowBlindWrites: env['KOPS_S3_ALLOW_BLIND_WRITES'] === 'true',
    ...(sse === undefined || sse === '' ? {} : { encryption: parseEncryption(sse) }),
    ...(acl === undefined || acl === '' ? {} : { acl: parseAcl(acl) }),
  };
}

/** Documentation of kops names servers by their host alone, e.g. `nyc3.digitaloceanspaces.com`. */
const withScheme = (endpoint: string): string => (endpoint.includes('://') ? endpoint : `https://${endpoint}`);

/** The keys that belong to S3_ENDPOINT (kops util/pkg/vfs/s3context.go); without them the AWS SDK looks for some. */
function credentialsOfKops(env: StoreEnvironment) {
  const [accessKeyId = '', secretAccessKey = ''] = [env['S3_ACCESS_KEY_ID'], env['S3_SECRET_ACCESS_KEY']];
  if (accessKeyId === '' && secretAccessKey === '') return {};
  if (accessKeyId !== '' && secretAccessKey !== '') return { credentials: { accessKeyId, secretAccessKey } };
  const missing = accessKeyId === '' ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY';
  throw new ActionableError({
    what: `use the S3 server ${env['S3_ENDPOINT'] ?? ''}`,
    why: `${missing} is not set`,
    next: 'set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither of them',
  });
}

function gcsOptionsOf(env: StoreEnvironment) {
  // Google's own names for it; credentials are found as in all of its programs (GOOGLE_APPLICATION_CREDENTIALS …).
  const emulator = env['STORAGE_EMULATOR_HOST'];
  if (emulator) return { endpoint: emulator };
  const endpoint = env['CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE']?.replace(/\/+$/, '');
  return endpoint ? { endpoint, hasCredentials: true } : {};
}

function cannotOpen(url: string, why: string): ActionableError {
  return new ActionableError({
    what: `open the state store ${JSON.stringify(url)}`,
    why,
    next: NAME_IT,
    isUsage: true,
  });
}
