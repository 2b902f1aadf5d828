import type { NodeRole } from './node-plan.ts';

/** /etc/kops/protokube.json, written by nodeup from the plan. protokube decides nothing that stands here. */
export interface ProtokubeConfig {
  readonly cluster: string;
  readonly cloud: string;
  readonly stateStore: string;
  readonly role: NodeRole;
  readonly nodeName: string;
  readonly address: string;
  /** Control plane only: which etcd volumes this machine may claim and where they are mounted. */
  readonly volumes: readonly EtcdVolumeMount[];
  /** Names kept in /etc/hosts: each points at every running machine of the role. */
  readonly hosts: readonly { readonly name: string; readonly role: NodeRole }[];
  /** Names kept in /etc/hosts that lead to a load balancer, and the name that it has in DNS. */
  readonly balanced?: { readonly names: readonly string[]; readonly loadBalancer: string };
  /** Names are exchanged among the machines themselves, by UDP and TCP of this port, encrypted with keys of this file. */
  readonly gossip?: { readonly port: number; readonly keysFile: string };
  /** Names of etcd members that this machine needs though it may hold no volume of theirs: as EtcdVolumeMount has them. */
  readonly memberHosts?: readonly Pick<EtcdVolumeMount, 'tagKey' | 'memberHost'>[];
  /** An API server without etcd beside it: of whose restores it is stopped, as EtcdClusterConfig has them. */
  readonly restores?: readonly { readonly etcdCluster: string; readonly backupPath: string }[];
  /** A copy of /etc/hosts that pods mount. */
  readonly podHosts?: string;
  /** Where protokube annotates this machine's Node with its state. */
  readonly state: { readonly kubeconfig: string };
  /** Keep a route to each node's pod network (clouds without a route table of their own). */
  readonly podRoutes?: { readonly kubeconfig: string };
  /** Control plane only: the cluster's pod range, of which each new node is given a /24. */
  readonly podNetworks?: { readonly kubeconfig: string; readonly range: string };
  /** Control plane only: keep the labels and taints of every Node as `<cluster>/node-marks.json` says. */
  readonly nodeMarks?: { readonly kubeconfig: string };
  /** Control plane only: channels to apply, the built-in one first: store paths relative to the cluster's folder, or URLs. */
  readonly addons?: { readonly kubeconfig: string; readonly channels: readonly string[] };
  /**
   * Control plane only: the secret of the state store (`<cluster>/secrets/<secret>`, JSON {"Data": base64}, holding
   * `abcdef.0123456789abcdef`) that is kept in the cluster as the token with which workers ask for their certificates.
   */
  readonly bootstrapToken?: { readonly kubeconfig: string; readonly secret: string };
  /** Control plane only: the zone of DNS in which the leader keeps the cluster's names. */
  readonly dns?: ZoneConfig;
}

export interface ZoneConfig {
  readonly kubeconfig: string;
  /** Its name, or what its provider calls it. */
  readonly zone: string;
  readonly provider: ZoneProvider;
  /** Machines have addresses of IPv6 only. */
  readonly isIpv6Only: boolean;
  /** The API's names; absent where they are a load balancer's. */
  readonly apiPublicName?: string;
  readonly apiInternalName?: string;
  /** Names that objects in the cluster ask for; absent where external-dns sees to them. */
  readonly objects?: {
    /** Of Pods, Services and Ingresses only those of this namespace count. */
    readonly namespace?: string;
    readonly ingresses: boolean;
  };
}

export type ZoneProvider =
  | { readonly name: 'Route53'; readonly isPrivate: boolean }
  | {
      readonly name: 'CloudDNS';
      /** The machine's own where there is none. */
      readonly project?: string;
      /** Whether the zone is one that only machines of its networks see, this one's among them. */
      readonly isPrivate: boolean;
    }
  | {
      readonly name: 'RFC2136';
      readonly address: string;
      readonly port: number;
      /** The secret of the state store that holds the TSIG key. */
      readonly keySecret: string;
    };

export interface EtcdVolumeMount {
  /** The etcd cluster's name: main, events … */
  readonly etcdCluster: string;
  /** Tag key that marks its volumes, kops's `k8s.io/etcd/main`; the tag's value is `<member>/<member>,<member>…`. */
  readonly tagKey: string;
  /** e.g. /mnt/etcd-main. Once it is mounted and ready it holds `.member`, JSON of the type MemberFile. */
  readonly mountPoint: string;
  /**
   * DNS name of a member with `<member>` in place of its name, the same as EtcdClusterConfig.memberHost: kept in
   * /etc/hosts of the control plane, pointing at the machine that holds the member's volume.
   */
  readonly memberHost: string;
}

/** /etc/kops/etcd-manager.json, written by nodeup from the plan. One process runs all etcd clusters of a machine. */
export interface EtcdManagerConfig {
  readonly cluster: string;
  readonly cloud: string;
  readonly stateStore: string;
  readonly address: string;
  readonly etcdClusters: readonly EtcdClusterConfig[];
}

export interface EtcdClusterConfig {
  readonly name: string;
  readonly mountPoint: string;
  /** Member names, in the spec's order, e.g. [a, b, c]. */
  readonly members: readonly string[];
  /** DNS name of a member with `<member>` in place of its name, e.g. `etcd-<member>.internal.demo.example.com`. */
  readonly memberHost: string;
  readonly clientPort: number;
  readonly peerPort: number;
  readonly etcdVersion: string;
  /** Folder of the etcd binaries, e.g. /opt/etcd-v3.4.23. */
  readonly binDir: string;
  /** All etcd versions on this machine, `etcdVersion` among them, so that it can go from one to another. */
  readonly binaries?: readonly { readonly version: string; readonly binDir: string }[];
  /** Store path of backups and the creation marker, relative to the store's root: `<cluster>/backups/etcd/main`. */
  readonly backupPath: string;
  /** Keysets: kops's names etcd-peers-ca-main, etcd-clients-ca … */
  readonly peersCa: string;
  readonly clientsCa: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

/** `<mountPoint>/.member`: written by protokube when the volume is mounted and ready, read by etcd-manager. */
export interface MemberFile {
  readonly member: string;
  /** All members the volume's tag names, this one among them. */
  readonly members: readonly string[];
  readonly volumeId: string;
}
