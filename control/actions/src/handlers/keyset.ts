import type { Handler, JsonObject, Step } from '@kopsctl/tasks/task.ts';
import { printKeyset, publicHalf, trustedCertificates, type Keyset } from '@kopsctl/pki/keyset.ts';
import { publishedKeysetPath, readKeyset, writeKeyset } from '@kopsctl/pki/keyset-store.ts';
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

  async find(_name, props, { store, cluster }, signal) {
    const found = await readKeyset(store, cluster, props.name, signal);
    const published = await store.read(publishedKeysetPath(cluster, props.name), signal);
    if (found === undefined && published === undefined) return undefined;
    return {
      keyset: found?.keyset,
      publicText: published && new TextDecoder().decode(published.bytes),
      publicVersion: published?.version,
    };
  },

  plan(_name, props, actual) {
    if (actual?.keyset === undefined) {
      return [{ action: 'create', summary: `create keyset ${props.name} (${props.type})` }];
    }
    if (actual.publicText !== printKeyset(publicHalf(actual.keyset))) {
      return [{ action: 'publish', summary: `publish the certificates of keyset ${props.name}` }];
    }
    return [];
  },

  outputs(_name, _props, { keyset }) {
    return keyset === undefined ? {} : { certificates: Buffer.from(trustedCertificates(keyset)).toString('base64') };
  },

  async apply(step, name, props, env, signal) {
    const { store, cluster } = env;
    if (step.action === 'create') {
      // Loaded here because making certificates takes a large library that most runs never need.
      const { createCertificateAuthority, createServiceAccountKeyset } = await import('@kopsctl/pki/authority.ts');
      const keyset =
        props.type === 'ca'
          ? await createCertificateAuthority({ commonName: props.commonName, nowMs: env.nowMs() })
          : await createServiceAccountKeyset({ nowMs: env.nowMs() });
      await writeKeyset(store, cluster, { ...keyset, name: props.name }, undefined, signal);
    }
    const stored = await keysetHandler.find(name, props, env, signal);
    if (stored?.keyset === undefined) throw new Error(`keyset ${props.name} is gone right after it was written`);
    await store.write(
      publishedKeysetPath(cluster, props.name),
      Buffer.from(printKeyset(publicHalf(stored.keyset))),
      stored.publicVersion === undefined ? { ifAbsent: true } : { ifVersion: stored.publicVersion },
      signal,
    );
  },
};
