import { readFile } from 'node:fs/promises';
import { Etcd3, type IOptions } from 'etcd3';

/** Where a cluster is reached, and as whom. */
export interface Endpoints {
  readonly urls: readonly string[];
  readonly files: { readonly ca: string; readonly cert: string; readonly key: string };
}

type Policy = NonNullable<NonNullable<IOptions['faultHandling']>['global']>;
/** Each question is asked once: a library that repeats or holds back would hide what happened. */
const once = {
  onSuccess: () => ({ dispose: () => undefined }),
  onFailure: () => ({ dispose: () => undefined }),
  execute: async (
    work: (context: { readonly signal: AbortSignal }) => unknown,
    signal = new AbortController().signal,
  ) => work({ signal }),
};
// The type has a member that exists for the compiler alone.
const ONCE = once as unknown as Policy;

/** A client for each member, by a library that knows nothing of ours. */
export async function openClients(endpoints: Endpoints): Promise<readonly Etcd3[]> {
  const options = await optionsOf(endpoints);
  return endpoints.urls.map((hosts) => new Etcd3({ ...options, hosts }));
}

/** A client that goes to another member when the one it asks is gone, as an API server does. */
export async function openRoamingClient(endpoints: Endpoints): Promise<Etcd3> {
  return new Etcd3({ ...(await optionsOf(endpoints)), hosts: [...endpoints.urls] });
}

async function optionsOf({ files }: Endpoints): Promise<Omit<IOptions, 'hosts'>> {
  const [rootCertificate, certChain, privateKey] = await Promise.all([
    readFile(files.ca),
    readFile(files.cert),
    readFile(files.key),
  ]);
  const credentials = { rootCertificate, certChain, privateKey };
  return { credentials, faultHandling: { host: () => ONCE, global: ONCE } };
}
