import { readFile } from 'node:fs/promises';
import { Etcd3, type IOptions } from 'etcd3';

/** The URLs of the members of a cluster, and the certificate to use. */
export interface Endpoints {
  readonly urls: readonly string[];
  readonly files: { readonly ca: string; readonly cert: string; readonly key: string };
}

type Policy = NonNullable<NonNullable<IOptions['faultHandling']>['global']>;
/** Sends each request exactly once. A library that retries or throttles would hide what happens. */
const once = {
  onSuccess: () => ({ dispose: () => undefined }),
  onFailure: () => ({ dispose: () => undefined }),
  execute: async (
    work: (context: { readonly signal: AbortSignal }) => unknown,
    signal = new AbortController().signal,
  ) => work({ signal }),
};
// A cast, because the type has a private member that exists only for the compiler.
const ONCE = once as unknown as Policy;

/** Opens one client for each member, with an independent library. */
export async function openClients(endpoints: Endpoints): Promise<readonly Etcd3[]> {
  const options = await optionsOf(endpoints);
  return endpoints.urls.map((hosts) => new Etcd3({ ...options, hosts }));
}

/** Opens a client that fails over to another member, as an API server does. */
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
