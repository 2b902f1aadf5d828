import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { CILIUM_ETCD, etcdPorts } from '../../etcd-clusters.ts';
import type { AddonObject } from '../addon-object.ts';

const SECRET = 'cilium-etcd-client';
const SECRETS_DIR = '/var/lib/etcd-secrets';
const CONFIG_DIR = '/var/lib/etcd-config';
const CONFIG_FILE = 'etcd.config';
/** The key of Cilium's settings that is a file of its own for its client of etcd. */
const CONFIG_KEY = 'etcd-config';
const AUTHORITIES = 'ca.crt';
/** A certificate and its key. Both are found in one file, so that they are changed together. */
const CLIENT = 'client.pem';

/** Whether Cilium keeps its state in an etcd of the control planes. */
export const usesEtcd = ({ etcdManaged }: CiliumNetworking): boolean => etcdManaged === true;

/** Where Cilium's etcd is, and with what agents prove themselves (Cilium's documentation of the key-value store). */
export function etcdSettings({ apiInternalName }: ClusterFacts) {
  const client = `${SECRETS_DIR}/${CLIENT}`;
  return {
    kvstore: 'etcd',
    'kvstore-opt': JSON.stringify({ 'etcd.config': `${CONFIG_DIR}/${CONFIG_FILE}` }),
    // JSON is YAML.
    [CONFIG_KEY]: JSON.stringify({
      endpoints: [`https://${apiInternalName}:${etcdPorts(CILIUM_ETCD).client}`],
      'trusted-ca-file': `${SECRETS_DIR}/${AUTHORITIES}`,
      'cert-file': client,
      'key-file': client,
    }),
  };
}

/**
 * What agents prove themselves with, which protokube's leader fills in: workers hold no key of a CA, and get certificates for
 * their kubelets alone. In kops each machine has a certificate of its own, for the same user.
 */
export const etcdClient = (): AddonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: SECRET, namespace: 'kube-system' },
  data: { [AUTHORITIES]: '@{ciliumEtcdAuthorities}', [CLIENT]: '@{ciliumEtcdClient}' },
});

/** The files of the client, for the pods of agents and the operator. */
export const etcdVolumes = (config: string): readonly JsonObject[] => [
  {
    name: 'etcd-config-path',
    configMap: { name: config, defaultMode: 0o400, items: [{ key: CONFIG_KEY, path: CONFIG_FILE }] },
  },
  { name: 'etcd-secrets', secret: { secretName: SECRET, defaultMode: 0o400 } },
];

export const ETCD_MOUNTS: readonly JsonObject[] = [
  { mountPath: CONFIG_DIR, name: 'etcd-config-path', readOnly: true },
  { mountPath: SECRETS_DIR, name: 'etcd-secrets', readOnly: true },
];
