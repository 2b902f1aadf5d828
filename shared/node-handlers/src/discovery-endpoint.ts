import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import type { TlsIdentity } from '@kopsctl/http/http.ts';
import { jsonWebKeys } from '@kopsctl/pki/jwks.ts';
import { signingCertificate } from '@kopsctl/pki/keyset.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { readEndpoint, type WebKeys, writeEndpoint } from './discovery-service.ts';
import { readKeyset } from './file-content.ts';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, ordered } from './ordered.ts';
import { notThisHost } from './running-host.ts';

const schema = z.strictObject({
  service: z.url(),
  namespace: z.string(),
  name: z.string(),
  certificatePath: absolutePath,
  keyPath: absolutePath,
  /** The keyset that signed the certificate. The service tells clusters apart by it. */
  signer: z.string(),
  /** The keyset whose public keys are published. */
  published: z.string(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

interface FoundEndpoint {
  readonly wanted: WebKeys;
  /** Undefined if the service does not know this machine. */
  readonly registered?: WebKeys;
  /** Why this run does not look. */
  readonly refusal?: string;
}

/**
 * The entry of this machine in a discovery service, from which anyone may read the public keys of service accounts. The
 * service may keep entries only in memory, so each run looks again.
 */
export const discoveryEndpointHandler: Handler<NodeEnv, Props, FoundEndpoint> = {
  kind: 'DiscoveryEndpoint',
  parse: (props) => schema.parse(props),

  async find(_name, props, env, signal) {
    const refusal = notThisHost(env);
    if (refusal !== undefined) return { wanted: [], refusal };
    const [wanted, tls] = await Promise.all([wantedKeys(props, env, signal), identityOf(props, env, signal)]);
    const registered = tls && (await readEndpoint(props, tls, signal));
    return { wanted, ...(registered !== undefined && { registered }) };
  },

  plan(_name, { service }, actual): readonly Step[] {
    if (actual?.refusal !== undefined) return [];
    if (actual?.registered !== undefined && isSameJson(actual.registered, actual.wanted)) return [];
    return [{ action: 'register', summary: `publish the keys of service accounts at ${service}` }];
  },

  async apply(_step, _name, props, env, signal) {
    const [keys, tls] = await Promise.all([wantedKeys(props, env, signal), identityOf(props, env, signal)]);
    if (tls === undefined) throw new Error(`${props.certificatePath} is not there`);
    await writeEndpoint(props, keys, tls, signal);
  },

  warnings: (_name, _props, actual) =>
    actual?.refusal === undefined ? [] : [`the keys of service accounts are not published: ${actual.refusal}`],
};

async function wantedKeys({ published }: Props, env: NodeEnv, signal: AbortSignal): Promise<WebKeys> {
  const document: unknown = JSON.parse(jsonWebKeys(await readKeyset(published, 'issued', env, signal)));
  return z.object({ keys: z.array(z.unknown()) }).parse(document).keys;
}

/** The certificate together with that of its CA, which no server trusts by itself. Undefined in a dry run before the first boot. */
async function identityOf(props: Props, env: NodeEnv, signal: AbortSignal): Promise<TlsIdentity | undefined> {
  const authority = signingCertificate(await readKeyset(props.signer, 'issued', env, signal));
  const read = (path: string) => readFile(join(env.root, path), 'utf8');
  try {
    const [certificate, key] = await Promise.all([read(props.certificatePath), read(props.keyPath)]);
    return { cert: `${certificate}${authority}`, key };
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
