import type { NodeDrift } from './drift-report.ts';

/** The annotation of a Node in which protokube reports the state of the machine. */
export const MACHINE_STATE_ANNOTATION = 'kopsctl.io/protokube';

/** What keeps a unit that somebody has stopped from running: its log says nothing about that. */
export const UNIT_STOPPED = 'it was stopped';

/** What protokube reports about its machine: what is there, and what does not work. Holds nothing secret. */
export interface MachineState {
  /** How this machine knows the others. */
  readonly discovery: {
    readonly by: 'gossip' | 'DNS' | 'load balancer' | 'cloud';
    /** How many names it keeps in /etc/hosts. */
    readonly names: number;
    /** Machines that gossip with it, itself included; only with gossip. */
    readonly members?: number;
  };
  /** By etcd cluster; empty on machines that hold no volumes. */
  readonly volumes: Readonly<Record<string, VolumeState>>;
  /** Whether it applies the addons, and acts for the whole cluster otherwise. */
  readonly isLeader: boolean;
  /** How nodeup last carried out a plan; absent until it has begun. */
  readonly boot?: BootState;
  /** How the machine differs from its plan; absent until it has been checked. */
  readonly drift?: NodeDrift;
  /** Units that should run and do not, with what keeps them from it. */
  readonly units?: Readonly<Record<string, string>>;
  /** The certificates that it presents, by the names of their tasks, or `kubelet-client` and `kubelet-serving`. */
  readonly certificates?: Readonly<Record<string, CertificateState>>;
  /** Absent where the operating system does not say. */
  readonly clock?: ClockState;
  /** The current failure of each part, by the part's name. */
  readonly failures: Readonly<Record<string, string>>;
}

/** What a boot report says, without its tasks. */
export interface BootState {
  /** Hex SHA-256 of the plan. */
  readonly planHash: string;
  readonly result: 'running' | 'done' | 'failed';
}

export interface CertificateState {
  /** RFC 3339. */
  readonly notAfter: string;
  /** Why it was not renewed, once that is due. */
  readonly renewalFailure?: string;
}

export interface ClockState {
  /** Whether the kernel's clock follows a time service. */
  readonly isSynchronized: boolean;
}

export interface VolumeState {
  readonly isMounted: boolean;
  /** The etcd member that the volume belongs to, once it is mounted. */
  readonly member?: string;
  /** In a sentence. */
  readonly summary: string;
}
