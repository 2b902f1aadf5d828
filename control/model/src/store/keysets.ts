import { discoveryServiceOf } from '@kopsctl/spec/discovery-service.ts';
import type { JsonObject, Task, TaskId } from '@kopsctl/tasks/task.ts';
import { CILIUM_SECRET, ENCRYPTION_CONFIG_SECRET } from './brought-secrets.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { usesIpsec } from '../addons/networking/ipsec.ts';
import { DNS_UPDATE_KEY, GOSSIP_CONTROL_PLANE_KEY, GOSSIP_KEY, GOSSIP_RECORDS_CA, usesGossip } from '../discovery.ts';
import { DISCOVERY_CA } from '../node/discovery-endpoint.ts';
import { keepsNamesByUpdates } from '../node/zone-config.ts';
import { etcdClientsCa, etcdPeersCa } from '../etcd-clusters.ts';
import {
  AGGREGATOR_CA,
  KUBELET_SERVING_CA,
  KUBERNETES_CA,
  NODE_AUTHORITY_CA,
  SERVICE_ACCOUNT_KEYSET,
} from '../node/certificates.ts';

/**
 * The keysets of kops (pkg/model/pki.go, pkg/model/components/etcdmanager), and the keysets that only we have. Each is created once and
 * kept.
 */
export function keysets(facts: ClusterFacts): readonly Task[] {
  const etcdNames = facts.etcdClusters.map(({ name }) => name ?? '');
  const authorities = [
    AGGREGATOR_CA,
    NODE_AUTHORITY_CA,
    ...etcdNames.map((name) => `etcd-manager-ca-${name}`),
    ...etcdNames.map(etcdPeersCa),
    ...new Set(etcdNames.map(etcdClientsCa)),
    ...(usesGossip(facts) ? [GOSSIP_RECORDS_CA] : []),
    ...(discoveryServiceOf(facts.spec) === undefined ? [] : [DISCOVERY_CA]),
  ];
  const trustedDays = facts.kubernetes.kubeletsTrustedDays;
  return [
    keyset(KUBELET_SERVING_CA, 'ca', { succeeds: { keyset: KUBERNETES_CA, trustedDays } }),
    // Which of the two exists shows whether a cluster is older than its CA for kubelets.
    keyset(KUBERNETES_CA, 'ca', { after: [{ ref: `Keyset/${KUBELET_SERVING_CA}` }] }),
    ...authorities.map((name) => keyset(name, 'ca')),
    keyset(SERVICE_ACCOUNT_KEYSET, 'service-account'),
  ];
}

/** The certificates by which machines know authorities: what AUTHORITY_CA in user-data stands for. */
export const authorityCa = (): { readonly ref: TaskId; readonly output: string } => ({
  ref: `Keyset/${NODE_AUTHORITY_CA}`,
  output: 'certificates',
});

function keyset(name: string, type: 'ca' | 'service-account', more: JsonObject = {}): Task {
  return { kind: 'Keyset', name, props: { name, type, commonName: name, ...more } };
}

/** Secrets that machines read by name. */
export function secrets(facts: ClusterFacts): readonly Task[] {
  return [
    ...(usesGossip(facts) ? [GOSSIP_KEY, GOSSIP_CONTROL_PLANE_KEY].map(gossipKey) : []),
    ...(keepsNamesByUpdates(facts) ? [brought(DNS_UPDATE_KEY)] : []),
    ...(facts.spec.encryptionConfig === true ? [brought(ENCRYPTION_CONFIG_SECRET)] : []),
    ...(usesIpsec(facts) ? [brought(CILIUM_SECRET)] : []),
  ];
}

const gossipKey = (name: string): Task => ({ kind: 'Secret', name, props: { name, kind: 'gossip-key' } });

/** No machine is made before a person has brought it. */
const brought = (name: string): Task => ({ kind: 'Secret', name, props: { name, kind: 'brought' } });

/** A file of this cluster in the state store. `path` is relative to the cluster's folder. */
export function managedFile(name: string, path: string, content: string): Task {
  const props: JsonObject = { path, content };
  return { kind: 'ManagedFile', name, props };
}
