import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { asArray, asRecord, asString } from './json.ts';

/** The API server's address and our credentials. */
export interface KubeAccess {
  readonly server: string;
  /** The name in the server's certificate, where it differs from the one that is called. */
  readonly tlsServerName?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

/** Reads a kubeconfig's current context, with certificates inline or in files relative to the kubeconfig. */
export async function readKubeconfig(path: string): Promise<KubeAccess> {
  try {
    const root = asRecord(parse(await readFile(path, 'utf8')));
    const context = named(root['contexts'], asString(root['current-context']), 'context');
    const cluster = named(root['clusters'], asString(context['cluster']), 'cluster');
    const user = named(root['users'], asString(context['user']), 'user');
    const server = asString(cluster['server']);
    if (server === undefined) throw new Error('its cluster has no server');
    const load = async (from: Readonly<Record<string, unknown>>, key: string): Promise<string | undefined> => {
      const inline = asString(from[`${key}-data`]);
      if (inline !== undefined) return Buffer.from(inline, 'base64').toString('utf8');
      const file = asString(from[key]);
      return file === undefined ? undefined : await readFile(resolve(dirname(path), file), 'utf8');
    };
    const tokenFile = asString(user['tokenFile']);
    const token = asString(user['token']) ?? (tokenFile && (await readFile(tokenFile, 'utf8')).trim());
    const ca = await load(cluster, 'certificate-authority');
    const cert = await load(user, 'client-certificate');
    const key = await load(user, 'client-key');
    return { server, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), ...(token && { token }) };
  } catch (error) {
    throw new ActionableError({
      what: `read the kubeconfig ${path}`,
      why: messageOf(error),
      next: 'nodeup writes it, and the agent retries by itself; see `journalctl -u nodeup`',
      cause: error,
    });
  }
}

function named(list: unknown, name: string | undefined, kind: string): Readonly<Record<string, unknown>> {
  const found = asArray(list)
    .map(asRecord)
    .find((item) => item['name'] === name);
  if (found === undefined) throw new Error(`it has no ${kind} named ${name ?? '(none given)'}`);
  return asRecord(found[kind]);
}
