import type { Handler, JsonObject, Step } from '@kopsctl/tasks/task.ts';
import { parseKeyset, printKeyset, type Keyset } from '@kopsctl/pki/keyset.ts';
import type { StoreEnv } from './store-env.ts';

interface KeysetProps {
  readonly name: string;
  readonly type: 'ca' | 'service-account';
  readonly commonName: string;
}

interface StoredKeyset {
  readonly keyset: Keyset | undefined;
  readonly publicText: string | undefined;
  readonly publicVersion: string | undefined;
}

interface KeysetStep extends Step {
  readonly action: 'create' | 'publish';
}

const privatePath = (env: StoreEnv, name: string) => `${env.cluster}/pki/private/${name}/keyset.yaml`;
const issuedPath = (env: StoreEnv, name: string) => `${env.cluster}/pki/issued/${name}/keyset.yaml`;

/** The keyset as machines without a right to private keys may read it. */
function publicKeyset(keyset: Keyset): string {
  return printKeyset({
    ...keyset,
    items: keyset.items.map(({ privateKeyPem: _private, ...published }) => published),
  });
}

/**
 * A keyset in kops's layout: made once, never made again while any part of it exists. Its public half is published
 * at `pki/issued/<name>/keyset.yaml`, the only thing a worker may read of it.
 */
export const keysetHandler: Handler<StoreEnv, KeysetProps, StoredKeyset, KeysetStep> = {
  kind: 'Keyset',

  parse(props: JsonObject) {
    const { name, type, commonName } = props;
    if (typeof name !== 'string' || typeof commonName !== 'string' || (type !== 'ca' && type !== 'service-account')) {
      throw new Error('Keyset needs name, type and commonName');
    }
    return { name, type, commonName };
  },

  async find(_name, props, env, signal) {
    const secret = await env.store.read(privatePath(env, props.name), signal);
    const published = await env.store.read(issuedPath(env, props.name), signal);
    if (secret === undefined && published === undefined) return undefined;
    return {
      keyset: secret && parseKeyset(new TextDecoder().decode(secret.bytes)),
      publicText: published && new TextDecoder().decode(published.bytes),
      publicVersion: published?.version,
    };
  },

  plan(_name, props, actual) {
    if (actual?.keyset === undefined) {
      return [{ action: 'create', summary: `create keyset ${props.name} (${props.type})` }];
    }
    if (actual.publicText !== publicKeyset(actual.keyset)) {
      return [{ action: 'publish', summary: `publish the certificates of keyset ${props.name}` }];
    }
    return [];
  },

  async apply(step, _name, props, env, signal) {
    const encode = (text: string) => new TextEncoder().encode(text);
    if (step.action === 'create') {
      // Loaded here because making certificates takes a large library that most runs never need.
      const { createCertificateAuthority, createServiceAccountKeyset } = await import('@kopsctl/pki/authority.ts');
      const keyset =
        props.type === 'ca'
          ? await createCertificateAuthority({ commonName: props.commonName, nowMs: env.nowMs() })
          : await createServiceAccountKeyset({ nowMs: env.nowMs() });
      await env.store.write(
        privatePath(env, props.name),
        encode(printKeyset({ ...keyset, name: props.name })),
        { ifAbsent: true },
        signal,
      );
    }
    const stored = await keysetHandler.find(_name, props, env, signal);
    if (stored?.keyset === undefined) throw new Error(`keyset ${props.name} is gone right after it was written`);
    await env.store.write(
      issuedPath(env, props.name),
      encode(publicKeyset(stored.keyset)),
      stored.publicVersion === undefined ? { ifAbsent: true } : { ifVersion: stored.publicVersion },
      signal,
    );
  },
};
