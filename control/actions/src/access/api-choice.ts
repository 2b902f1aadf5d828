import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ApiAddress } from '@kopsctl/model/cloud.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { serverOf } from './kubeconfig.ts';
import { kubeconfigPath, readKubeconfig } from './kubeconfig-file.ts';

/** Where the API of a cluster is asked, if a person wants another place than the one that its cloud names. */
export interface ApiChoice {
  /** This URL. */
  readonly apiServer?: string | undefined;
  /** The name that machines use within the cluster's network. */
  readonly isInternal?: boolean | undefined;
  /** The server that the person's kubeconfig names for the cluster. */
  readonly usesKubeconfig?: boolean | undefined;
  /** The same, from this file. */
  readonly kubeconfig?: string | undefined;
  /** False where no connection may be opened: then nobody knows the address unless one is named. */
  readonly asksCloud?: boolean | undefined;
}

/** The address that a person chose; undefined where the cloud is to be asked. */
export async function chosenAddress(
  { apiServer, isInternal = false, usesKubeconfig = false, kubeconfig, asksCloud = true }: ApiChoice,
  { metadata: { name }, spec }: Cluster,
  env: NodeJS.ProcessEnv,
): Promise<ApiAddress | undefined> {
  const internalName = spec.masterInternalName ?? `api.internal.${name}`;
  if (apiServer !== undefined) {
    const url = urlOf(apiServer);
    // The certificate has this name, whatever address leads to the server; the cluster's own authority issued it.
    return {
      server: url.href.replace(/\/$/, ''),
      ...(url.hostname !== internalName && { tlsServerName: internalName }),
    };
  }
  if (isInternal) return { server: `https://${internalName}` };
  if (!usesKubeconfig && kubeconfig === undefined) {
    if (asksCloud) return undefined;
    throw new ActionableError({
      what: `find the API of ${name}`,
      why: 'its cloud says where that is, and is not asked with --offline',
      next: 'leave --offline out, or name the server with --api-server',
    });
  }
  const path = kubeconfig ?? kubeconfigPath(env);
  const address = serverOf(await readKubeconfig(path), name);
  if (address !== undefined) return address;
  throw new ActionableError({
    what: `find the API of ${name} in the kubeconfig ${path}`,
    why: 'it names no server for a cluster of that name',
    next: `write it with \`kopsctl export kubeconfig ${name}\`, or name the server with --api-server`,
  });
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.protocol === 'https:') return url;
  throw new ActionableError({
    what: 'read --api-server',
    why: `'${text}' is not an https URL`,
    next: 'write it like https://api.example.com or https://203.0.113.7:6443',
    isUsage: true,
  });
}
