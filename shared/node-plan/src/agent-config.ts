import type { NodeRole } from './node-plan.ts';
import type { StorePlace } from './store-place.ts';

/** /etc/kops/protokube.json, written by nodeup from the plan. protokube decides nothing that is set here. */
export interface ProtokubeConfig {
  readonly cluster: string;
  readonly cloud: string;
  readonly stateStore: string;
  readonly storePlaces?: readonly StorePlace[];
  readonly role: NodeRole;
  readonly nodeName: string;
  readonly address: string;
  /** Control plane only: which etcd volumes this machine may claim and where they are mounted. */
  readonly volumes: readonly EtcdVolumeMount[];
  /** Names kept in /etc/hosts: each points at every running machine of the role. */
  readonly hosts: readonly { readonly name: string; readonly role: NodeRole }[];
  /** Names kept in /etc/hosts that lead to a load balancer: the name that it has in DNS, or its addresses with spaces between. */
  readonly balanced?: { readonly names: readonly string[]; readonly loadBalancer: string };
  /** Names are exchanged among the machines themselves. */
  readonly gossip?: GossipConfig;
  /** Names of etcd members that this machine needs, although it may hold none of their volumes: as in EtcdVolumeMount. */
  readonly memberHosts?: readonly Pick<EtcdVolumeMount, 'tagKey' | 'memberHost'>[];
  /** For an API server without etcd beside it: the etcd clusters whose restores stop it, as in EtcdClusterConfig. */
  readonly restores?: readonly { readonly etcdCluster: string; readonly backupPath: string }[];
  /** A copy of /etc/hosts that pods mount. */
  readonly podHosts?: string;
  /** Where protokube annotates this machine's Node with its state. */
  readonly state: { readonly kubeconfig: string };
  /** How it learns that the machine differs from its plan. */
  readonly drift?: DriftConfig;
  /** Keep a route to each node's pod network (clouds without a route table of their own). */
  readonly podRoutes?: { readonly kubeconfig: string };
  /** Control plane only: the cluster's pod range, of which each new node is given a /24. */
  readonly podNetworks?: { readonly kubeconfig: string; readonly range: string };
  /** Control plane only: each node is given the range that the cloud has for pods on its machine. */
  readonly podRanges?: { readonly kubeconfig: string };
  /** Control plane only: keep the labels and taints of every Node as `<cluster>/node-marks.json` says. */
  readonly nodeMarks?: { readonly kubeconfig: string };
  /** Control plane only: channels to apply, the built-in one first: store paths relative to the cluster's folder, or URLs. */
  readonly addons?: {
    readonly kubeconfig: string;
    readonly channels: readonly string[];
    /** The channel that control planes made by kops apply: what it names is theirs until the last of them is gone. */
    readonly yieldsTo?: string;
  };
  /** Machines without a key of a CA only: how this one proves its identity, and what it gets for that. */
  readonly identity?: IdentityConfig;
  /** Control plane only: the DNS zone in which the leader keeps the cluster's names. */
  readonly dns?: ZoneConfig;
  /** Only where an API server runs and a load balancer asks for its health: on which port, and how the API server is asked. */
  readonly apiHealth?: { readonly port: number; readonly kubeconfig: string };
  /** Control plane only: where it serves the node authority of this machine. */
  readonly broker?: BrokerConfig;
}

export interface DriftConfig {
  /** The plan that the machine was made from: changes of the files that it names are followed. */
  readonly plan: string;
  /** nodeup's report of the boot. Before its end, files change because nodeup writes them. */
  readonly bootReport: string;
  /** What the last check found. */
  readonly report: string;
  /** The unit that checks the machine. */
  readonly service: string;
}

export interface BrokerConfig {
  readonly socket: string;
  /** The system user of the authority, whose primary group may connect. */
  readonly user: string;
}

export interface IdentityConfig {
  /** The port on which authorities call. */
  readonly port: number;
  /** Certificates of the CA that signs those of authorities: base64 of PEM. */
  readonly authorityCa: string;
  /** The path of this machine's key, which never leaves the machine. */
  readonly machineKey: string;
  readonly kubelet: {
    /** The CA of the cluster is written here. */
    readonly ca: string;
    /** Paths without .crt and .key. */
    readonly client: string;
    readonly serving: string;
    /** It reads a new serving certificate only at its start. */
    readonly restartsForServing: boolean;
  };
  /** Secrets that this machine gets, and the files that hold them. */
  readonly secrets: readonly { readonly name: string; readonly path: string }[];
  /** Keysets whose certificates it gets, and the files that hold them. */
  readonly authorities: readonly { readonly name: string; readonly path: string }[];
  /** Where nodeup keeps the report of the boot. */
  readonly bootReport: string;
}

export interface GossipConfig {
  /** The rings of this machine. It takes names from the first of them. */
  readonly rings: readonly GossipRing[];
  readonly signing: GossipSigning;
}

/** Machines that share keys, and gossip by UDP and TCP of one port. */
export interface GossipRing {
  /**
   * Machines with an API server have a ring of their own, which also carries the names of etcd members. All machines are
   * in the workers' ring, into which those with an API server publish the names of the API.
   */
  readonly name: 'control-plane' | 'workers';
  readonly port: number;
  /** One key per line in base64; the first encrypts, all decrypt. It is read again while the agent runs. */
  readonly keysFile: string;
  /** Control plane only: the secret of the state store from which the keys are kept up to date and renewed. */
  readonly keysSecret?: string;
}

/** The names that a plan asks for count only with a signature. */
export interface GossipSigning {
  /** The authorities that certify who may sign, a PEM bundle. */
  readonly authoritiesFile: string;
  /** Only where an API server runs: what this machine signs its names with. */
  readonly identity?: { readonly certificateFile: string; readonly keyFile: string };
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
  /** Names that objects in the cluster ask for; absent where external-dns manages them. */
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
      /** Whether the zone is visible only to machines in its networks; this machine's network is one of them. */
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
  readonly storePlaces?: readonly StorePlace[];
  readonly address: string;
  readonly etcdClusters: readonly EtcdClusterConfig[];
}

/** /etc/kops/node-authority.json, written by nodeup from the plan of a control plane. */
export interface NodeAuthorityConfig {
  readonly cluster: string;
  readonly cloud: string;
  readonly nodeName: string;
  /** The socket of protokube, which reads the cloud and the state store for it. */
  readonly broker: string;
  /** The port on which machines wait for a call. */
  readonly machinePort: number;
  /** Paths of the certificate by which machines recognise it, and of its key. */
  readonly certificate: string;
  readonly key: string;
  /** A client of the API server on this machine, with the rights of the user kops:node-authority. */
  readonly kubeconfig: string;
}

export interface EtcdClusterConfig {
  readonly name: string;
  readonly mountPoint: string;
  /** Member names, in the spec's order, e.g. [a, b, c]. */
  readonly members: readonly string[];
  /** DNS name of a member with `<member>` in place of its name, e.g. `etcd-<member>.internal.demo.example.com`. */
  readonly memberHost: string;
  /** Other names by which clients reach all members, for the certificates with which these prove themselves. */
  readonly serverNames?: readonly string[];
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
