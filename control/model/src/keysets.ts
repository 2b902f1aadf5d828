import type { JsonObject, Task } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { DNS_UPDATE_KEY, GOSSIP_KEY, usesGossip } from './discovery.ts';
import { keepsNamesByUpdates } from './node/zone-config.ts';
import { etcdClientsCa, etcdPeersCa } from './etcd-clusters.ts';
import { AGGREGATOR_CA, KUBERNETES_CA, SERVICE_ACCOUNT_KEYSET } from './node/certificates.ts';
import { BOOTSTRAP_TOKEN } from './node/kubeconfigs.ts';

/** The keysets of kops (pkg/model/pki.go, pkg/model/components/etcdmanager). Each is created once and kept. */
export function keysets(facts: ClusterFacts): readonly Task[] {
  const etcdNames = facts.etcdClusters.map(({ name }) => name ?? '');
  const authorities = [
    KUBERNETES_CA,
    AGGREGATOR_CA,
    ...etcdNames.map((name) => `etcd-manager-ca-${name}`),
    ...etcdNames.map(etcdPeersCa),
    ...new Set(etcdNames.map(etcdClientsCa)),
  ];
  return [...authorities.map((name) => keyset(name, 'ca')), keyset(SERVICE_ACCOUNT_KEYSET, 'service-account')];
}

function keyset(name: string, type: 'ca' | 'service-account'): Task {
  return { kind: 'Keyset', name, props: { name, type, commonName: name } };
}

/** Secrets that machines read by name. */
export function secrets(facts: ClusterFacts): readonly Task[] {
  return [
    { kind: 'Secret', name: BOOTSTRAP_TOKEN, props: { name: BOOTSTRAP_TOKEN, kind: 'bootstrap-token' } },
    ...(usesGossip(facts)
      ? [{ kind: 'Secret', name: GOSSIP_KEY, props: { name: GOSSIP_KEY, kind: 'gossip-key' } }]
      : []),
    ...(keepsNamesByUpdates(facts)
      ? [{ kind: 'Secret', name: DNS_UPDATE_KEY, props: { name: DNS_UPDATE_KEY, kind: 'brought' } }]
      : []),
  ];
}

/** A file of this cluster in the state store. `path` is relative to the cluster's folder. */
export function managedFile(name: string, path: string, content: string): Task {
  const props: JsonObject = { path, content };
  return { kind: 'ManagedFile', name, props };
}
