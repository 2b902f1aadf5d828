/** Something that a store holds of a cluster. */
export interface StoredThing {
  /** Below the cluster's folder. `*` stands for one part of a path, `**` for any number. */
  readonly path: string;
  readonly what: string;
  readonly writer: 'a person, by kopsctl' | 'kopsctl' | 'nodeup' | 'node-authority' | 'protokube' | 'etcd-manager';
}

/** Everything that a store holds of a cluster: kops's layout, and our own files in it. */
export const STORE_LAYOUT: readonly StoredThing[] = [
  { path: 'config', what: 'the Cluster, as a person wrote it', writer: 'a person, by kopsctl' },
  { path: 'instancegroup/*', what: 'the instance groups, as a person wrote them', writer: 'a person, by kopsctl' },
  { path: 'clusteraddons/default', what: "objects of the cluster that are not kops's", writer: 'a person, by kopsctl' },
  { path: 'pki/ssh/public/*/*', what: 'who may log in to machines', writer: 'a person, by kopsctl' },
  { path: 'secrets/*', what: 'secrets, made or given', writer: 'kopsctl' },
  { path: 'secrets/gossip-key', what: 'keys of gossip, changed before they are used up', writer: 'protokube' },
  { path: 'secrets/gossip-key-control-plane', what: "the same of the control plane's ring", writer: 'protokube' },
  { path: 'pki/private/*/keyset.yaml', what: 'certificates and their keys', writer: 'kopsctl' },
  { path: 'pki/issued/*/keyset.yaml', what: 'the same without the keys', writer: 'kopsctl' },
  { path: 'cluster.spec', what: 'the completed Cluster', writer: 'kopsctl' },
  { path: 'node-plans/*', what: 'what the machines of a group are to be, by hash', writer: 'kopsctl' },
  { path: 'worker-plans/*', what: 'the same of workers, all that these may read', writer: 'kopsctl' },
  { path: 'file-hashes.json', what: 'hashes of downloads that the table of the release lacks', writer: 'kopsctl' },
  { path: 'node-marks.json', what: 'labels and taints of each group', writer: 'kopsctl' },
  { path: 'node-authority.json', what: 'what machines of each group prove themselves as, and get', writer: 'kopsctl' },
  { path: 'addons/**', what: 'the channel of addons and their manifests', writer: 'kopsctl' },
  { path: 'backups/etcd/*/control/etcd-cluster-spec', what: 'how many members of which version', writer: 'kopsctl' },
  { path: 'manifests/kopsctl/create-cluster.json', what: 'what create cluster chose by itself', writer: 'kopsctl' },
  { path: 'manifests/kopsctl/version.txt', what: 'which kopsctl applied the cluster last', writer: 'kopsctl' },
  {
    path: 'manifests/kopsctl/history/**',
    what: 'earlier texts of the spec, who changed it and why',
    writer: 'kopsctl',
  },
  { path: 'manifests/kopsctl/rolling-update.json', what: 'how far the latest rolling update is', writer: 'kopsctl' },
  { path: 'manifests/kopsctl/rolling-update.lock', what: 'who rolls the cluster now', writer: 'kopsctl' },
  { path: 'manifests/kopsctl/adopted.json', what: 'that kopsctl took the cluster over from kops', writer: 'kopsctl' },
  { path: 'manifests/kopsctl/cluster.spec', what: 'the completed Cluster, where kops made it', writer: 'kopsctl' },
  {
    path: 'manifests/kopsctl/upgrade.json',
    what: 'how far the latest upgrade or reconciliation is',
    writer: 'kopsctl',
  },
  { path: 'manifests/kopsctl/upgrade.lock', what: 'who upgrades or reconciles the cluster now', writer: 'kopsctl' },
  { path: 'keypair-rotation.json', what: 'how far an exchange of all key pairs is', writer: 'kopsctl' },
  { path: 'lock', what: 'who changes the cluster now', writer: 'kopsctl' },
  { path: 'user-data/*', what: 'what a person puts on machines of a group, where no cloud does', writer: 'kopsctl' },
  { path: 'nodes/*/host.json', what: 'a machine that a person enrolled, as no cloud lists it', writer: 'kopsctl' },
  {
    path: 'nodes/*/boot-report.json',
    what: 'how a machine booted (of a worker, protokube writes it); kopsctl removes old ones',
    writer: 'nodeup',
  },
  {
    path: 'nodes/*/machine-report.json',
    what: 'the newest errors of a machine; kopsctl removes old ones',
    writer: 'protokube',
  },
  {
    path: 'nodes/*/enrolment.json',
    what: 'which machine has the name, as the node authority says; kopsctl marks it when a person revokes that',
    writer: 'protokube',
  },
  { path: 'backups/etcd/**', what: 'backups, and what the managers agree on', writer: 'etcd-manager' },
];
