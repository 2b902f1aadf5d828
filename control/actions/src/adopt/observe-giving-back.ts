import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parse } from 'yaml';
import { stateKeyHandler } from '../handlers/state-key.ts';
import { storeEnv } from '../handlers/store-env.ts';
import { readRoll } from '../rolling/journal.ts';
import { COMPLETED_BY_KOPS } from '../store/object-paths.ts';
import { readOperation } from '../upgrade/operation-journal.ts';
import type { EtcdVersions, GivingBack } from './refuse-giving-back.ts';

/** Gathers what decides whether kops can take a cluster back. */
export async function observeGivingBack(store: StateStore, spec: Cluster, signal: AbortSignal): Promise<GivingBack> {
  const { name: cluster } = spec.metadata;
  const [roll, operation, objects, etcds] = await Promise.all([
    readRoll(store, cluster, signal),
    readOperation(store, cluster, signal),
    stateKeyHandler.find('state-key', {}, storeEnv(store, cluster), signal),
    etcdVersions(store, spec, signal),
  ]);
  const sealed = objects?.find(({ sealedWith }) => sealedWith !== undefined);
  return {
    cluster,
    roll,
    operation,
    sealed: sealed?.sealedWith === undefined ? undefined : { path: sealed.path, sealedWith: sealed.sealedWith },
    etcds,
  };
}

async function etcdVersions(
  store: StateStore,
  { metadata: { name: cluster }, spec }: Cluster,
  signal: AbortSignal,
): Promise<readonly EtcdVersions[]> {
  const completed = await versionsOfKops(store, cluster, signal);
  return Promise.all(
    (spec.etcdClusters ?? []).map(async ({ name = '', version }): Promise<EtcdVersions> => {
      const statuses = await readStatuses(store, `${cluster}/backups/etcd/${name}`, signal);
      return {
        name,
        runs: statuses.flatMap(({ etcd }) => etcd?.version ?? []),
        ofKops: version ?? completed.get(name),
      };
    }),
  );
}

/** By the name of the etcd cluster. */
async function versionsOfKops(
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string | undefined>> {
  for (const file of COMPLETED_BY_KOPS) {
    const stored = await store.read(`${cluster}/${file}`, signal);
    if (stored === undefined) continue;
    const spec = asRecord(asRecord(parse(new TextDecoder().decode(stored.bytes)))['spec']);
    const etcds = asArray(spec['etcdClusters']).map((etcd) => asRecord(etcd));
    return new Map(etcds.map((etcd) => [asString(etcd['name']) ?? '', asString(etcd['version'])]));
  }
  return new Map();
}
