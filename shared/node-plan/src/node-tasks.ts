import type { Ref } from '@kopsctl/tasks/task.ts';

/**
 * The props of every kind of task a node plan may hold: the contract between the builders in
 * control/model/node and the handlers in shared/node-handlers. Paths are absolute on the node.
 * `after` lists pure ordering references; all other needs follow from references in the props.
 * The task that writes a file makes its parent folders (0755 root), unless a Directory task does.
 */
export interface NodeTaskProps {
  readonly Asset: AssetProps;
  readonly File: FileProps;
  readonly Directory: DirectoryProps;
  readonly Symlink: SymlinkProps;
  readonly Archive: ArchiveProps;
  readonly Package: PackageProps;
  readonly User: UserProps;
  readonly KernelModule: KernelModuleProps;
  readonly Sysctls: SysctlsProps;
  readonly Service: ServiceProps;
  readonly Image: ImageProps;
  readonly Certificate: CertificateProps;
  readonly BindMount: BindMountProps;
  readonly DiscoveryEndpoint: DiscoveryEndpointProps;
}

interface Ordered {
  readonly after?: readonly Ref[];
}

/**
 * A file that is downloaded to the content-addressed cache, /var/cache/kops/sha256/<hash>, unless a `file://` URL names it
 * on this machine. Output `path`: where it is.
 */
export interface AssetProps extends Ordered {
  /** Tried in order, each resumed after a break. */
  readonly urls: readonly string[];
  /** What the bytes are checked against, in hex. */
  readonly sha256: string;
}

export interface FileProps extends Ordered {
  readonly path: string;
  readonly content: FileContent;
  /** Four octal digits, e.g. '0644'. */
  readonly mode: string;
  readonly owner?: string;
  readonly group?: string;
  /** A secret's content never appears in a diff, a log or a report. */
  readonly sensitive?: boolean;
}

export type FileContent =
  | { readonly text: string }
  | { readonly base64: string }
  /** A downloaded asset, placed as it is: `{ path: { ref: 'Asset/kubelet', output: 'path' } }`, and its hash. */
  | { readonly assetPath: string | Ref; readonly sha256: string }
  /** `<cluster>/secrets/<name>` of the state store; `template` holds `@{secret}` where the value goes. */
  | { readonly secret: string; readonly template?: string }
  /** A part of `<cluster>/pki/private/<keyset>/keyset.yaml`; `certificates` = every trusted CA, PEM, primary first. */
  | { readonly keyset: string; readonly part: 'certificates' | 'certificate' | 'privateKey' | 'publicKeys' };

export interface DirectoryProps extends Ordered {
  readonly path: string;
  readonly mode: string;
  readonly owner?: string;
  readonly group?: string;
}

export interface SymlinkProps extends Ordered {
  readonly path: string;
  readonly target: string;
}

/** Unpacks a .tar, .tar.gz or .tar.zst; `strip` leading path parts are dropped. Found by a marker that holds the archive's hash. */
export interface ArchiveProps extends Ordered {
  readonly assetPath: string | Ref;
  /** Tells one archive from another: its hash. */
  readonly identity: string;
  readonly into: string;
  readonly strip?: number;
}

/** A distribution package, installed with apt or dnf. */
export interface PackageProps extends Ordered {
  readonly name: string;
  /** Other distributions do not have it. Ubuntu belongs to Debian's family, Red Hat and Amazon Linux 2023 to Fedora's. */
  readonly onlyOn?: 'debian' | 'fedora' | 'ubuntu';
  /** The repository of another publisher. */
  readonly source?: PackageSource;
}

/** A repository of apt. */
export interface PackageSource {
  readonly name: string;
  /** What its publisher signs with, in ASCII: the same bytes at each URL. */
  readonly key: { readonly urls: readonly string[]; readonly sha256: string };
  /** As in sources.list, after `deb`. */
  readonly location: string;
}

export interface UserProps extends Ordered {
  readonly name: string;
  readonly uid?: number;
  readonly home?: string;
  readonly shell?: string;
}

/** Loads now; boot-time loading is a File in /etc/modules-load.d. Only warns where the host cannot load modules. */
export interface KernelModuleProps extends Ordered {
  readonly name: string;
}

/** Sets values now; the File in /etc/sysctl.d keeps them. Read-only ones are warned about by name. */
export interface SysctlsProps extends Ordered {
  readonly values: Readonly<Record<string, string>>;
}

/**
 * A systemd unit whose unit file is a File task. `running` with `restartOn`: restarted when the unit has been
 * running since before one of those files last changed (so the next run restarts it if this one is killed between write and restart).
 */
export interface ServiceProps extends Ordered {
  /** e.g. containerd.service */
  readonly unit: string;
  readonly enabled: boolean;
  readonly running: boolean;
  readonly restartOn?: readonly Ref[];
  /** Paths that the referenced tasks write, in the same order. */
  readonly restartOnPaths?: readonly string[];
  /** Do not wait until the unit is active (oneshots that take long, agents that wait for others). */
  readonly noBlock?: boolean;
}

/**
 * An image in the store of the container runtime. Where it is not there, its archive (docker-save or OCI tar) is
 * downloaded and imported, and then removed.
 */
export interface ImageProps extends Ordered {
  readonly runtime: 'containerd' | 'docker';
  readonly urls: readonly string[];
  /** Of the archive. */
  readonly sha256: string;
  /** Full reference as manifests use it, e.g. registry.k8s.io/kube-apiserver:v1.20.2 */
  readonly image: string;
  /** Where containerd listens, if not at its usual place. */
  readonly socket?: string;
}

/**
 * A leaf certificate issued on this node by a keyset of the state store (control plane only). The key is ECDSA P-256,
 * made here, and never leaves. Re-issued when the CA, subject, names or usages changed or less than a third of
 * its life is left.
 */
export interface CertificateProps extends Ordered {
  readonly certificatePath: string;
  readonly keyPath: string;
  readonly signer: string;
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly usages: readonly ('server' | 'client')[];
  readonly validityDays: number;
  readonly owner?: string;
}

export interface BindMountProps extends Ordered {
  readonly source: string;
  readonly mountPoint: string;
  /** e.g. ['exec', 'nosuid', 'nodev'] */
  readonly options: readonly string[];
}

/** The entry of a machine in a discovery service, which publishes the keys of service accounts. */
export interface DiscoveryEndpointProps extends Ordered {
  /** Where the universe of the cluster begins. */
  readonly service: string;
  readonly namespace: string;
  readonly name: string;
  readonly certificatePath: string;
  readonly keyPath: string;
  readonly signer: string;
  /** The keyset whose public keys are published. */
  readonly published: string;
}
