import type { Handler, JsonObject, Step } from '@kopsctl/tasks/task.ts';
import { printKeyset, publicHalf, trustedCertificates, type Keyset } from '@kopsctl/pki/keyset.ts';
import { jsonWebKeys } from '@kopsctl/pki/jwks.ts';
import { publishedKeysetPath, readKeyset, writeKeyset } from '@kopsctl/pki/keyset-store.ts';
import { distrusting, outlivedCertificates, trustingPredecessor } from '@kopsctl/pki/succession.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import type { StoreEnv } from './store-env.ts';

interface KeysetProps {
  readonly name: string;
  readonly type: 'ca' | 'service-account';
  readonly commonName: string;
  /** It signs what another keyset signed before, in clusters that are older than it. */
  readonly succeeds: Succession | undefined;
}

interface Succession {
  readonly keyset: string;
  /** How long certificates of that keyset may be in use after this one was made. */
  readonly trustedDays: number;
}

interface StoredKeyset {
  readonly keyset: Keyset | undefined;
  readonly version: string | undefined;
  /** The keyset that it takes over from. In a new cluster that is made after it. */
  readonly predecessor: Keyset | undefined;
  readonly nowMs: number;
  readonly publicText: string | undefined;
  readonly publicVersion: string | undefined;
}

interface KeysetStep extends Step {
  readonly action: 'create' | 'publish' | 'distrust';
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
    return { name, type, commonName, succeeds: successionIn(props['succeeds']) };
  },

  async find(_name, { name, succeeds }, env, signal) {
    const { store, cluster } = env;
    const found = await readKeyset(store, cluster, name, signal);
    const published = await store.read(publishedKeysetPath(cluster, name), signal);
    const predecessor = succeeds && (await readKeyset(store, cluster, succeeds.keyset, signal));
    if (found === undefined && published === undefined && predecessor === undefined) return undefined;
    return {
      keyset: found?.keyset,
      version: found?.version,
      predecessor: predecessor?.keyset,
      nowMs: env.nowMs(),
      publicText: published && new TextDecoder().decode(published.bytes),
      publicVersion: published?.version,
    };
  },

  plan(_name, props, actual) {
    const { name, type, succeeds } = props;
    if (actual?.keyset === undefined) {
      const trusts =
        actual?.predecessor === undefined ? '' : `, which trusts what ${actual.predecessor.name} has signed`;
      return [{ action: 'create', summary: `create keyset ${name} (${type})${trusts}` }];
    }
    if (outlivedIn(props, actual).length > 0) {
      return [
        {
          action: 'distrust',
          summary: `trust ${name} alone: everything that ${succeeds?.keyset ?? ''} signed has expired`,
        },
      ];
    }
    if (actual.publicText !== printKeyset(publicHalf(actual.keyset))) {
      return [{ action: 'publish', summary: `publish the certificates of keyset ${name}` }];
    }
    return [];
  },

  outputs(_name, { type }, { keyset }) {
    if (keyset === undefined) return {};
    return type === 'service-account'
      ? { jwks: jsonWebKeys(keyset) }
      : { certificates: Buffer.from(trustedCertificates(keyset)).toString('base64') };
  },

  async apply(step, name, props, env, signal) {
    const { store, cluster } = env;
    const before = await keysetHandler.find(name, props, env, signal);
    if (step.action === 'create') {
      const made = { ...(await makeKeyset(props, env.nowMs())), name: props.name };
      const keyset = before?.predecessor === undefined ? made : trustingPredecessor(made, before.predecessor);
      await writeKeyset(store, cluster, keyset, undefined, signal);
    }
    if (step.action === 'distrust' && before?.keyset !== undefined && before.version !== undefined) {
      const keyset = distrusting(before.keyset, outlivedIn(props, before), before.nowMs);
      await writeKeyset(store, cluster, keyset, { version: before.version }, signal);
    }
    const stored = await keysetHandler.find(name, props, env, signal);
    if (stored?.keyset === undefined) throw new Error(`keyset ${props.name} is gone right after it was written`);
    await store.write(
      publishedKeysetPath(cluster, props.name),
      Buffer.from(printKeyset(publicHalf(stored.keyset))),
      ifUnchanged(stored.publicVersion),
      signal,
    );
  },
};

function successionIn(value: unknown): Succession | undefined {
  if (value === undefined) return undefined;
  const { keyset, trustedDays } = Object(value);
  if (typeof keyset === 'string' && typeof trustedDays === 'number') return { keyset, trustedDays };
  throw new Error('succeeds of Keyset needs keyset and trustedDays');
}

const outlivedIn = ({ succeeds }: KeysetProps, { keyset, predecessor, nowMs }: StoredKeyset) =>
  keyset === undefined || predecessor === undefined || succeeds === undefined
    ? []
    : outlivedCertificates(keyset, predecessor, succeeds.trustedDays, nowMs);

async function makeKeyset({ type, commonName }: KeysetProps, nowMs: number): Promise<Keyset> {
  // Loaded here because making certificates takes a large library that most runs never need.
  const { createCertificateAuthority, createServiceAccountKeyset } = await import('@kopsctl/pki/authority.ts');
  return type === 'ca' ? createCertificateAuthority({ commonName, nowMs }) : createServiceAccountKeyset({ nowMs });
}
