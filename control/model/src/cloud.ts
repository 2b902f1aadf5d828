import type { CloudName, SpecCloud } from '@kopsctl/spec/cloud.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Fault } from '@kopsctl/spec/validate/fault.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import type { Handler, JsonObject, Task } from '@kopsctl/tasks/task.ts';
import type { RunnableAddons } from './addons/runnable-addons.ts';
import type { CloudCreation } from './create-cluster/cloud-creation.ts';
import type { FailureWords } from './failure-words.ts';
import type { Fleet } from './fleet.ts';
import type { InstanceType } from './instance-types/instance-type.ts';
import type { KindLifecycle } from './lifecycle.ts';
import type { AddonInput, ModelInput } from './model-input.ts';
import type { TerraformTarget } from './terraform/target.ts';
import type { VpcInfo } from './vpc-info.ts';

/**
 * A cloud as the control side knows it. Everything that is specific to the cloud is reached through this object, and the
 * registry (clouds/control.ts) lists all of them. Small parts that are always needed are fields; large parts are loaded
 * when they are used.
 */
export interface Cloud extends SpecCloud {
  readonly name: CloudName;
  readonly creation: CloudCreation;
  /** Opens a key of this cloud (`traits.stateKeys`) that seals keysets and secrets, with the rights of the person. */
  readonly openStateKey?: (name: string, env: Readonly<Record<string, string | undefined>>) => Promise<StateKey>;
  /**
   * Whether the same request may succeed a moment later, as an error of this cloud's clients tells. Undefined for errors of
   * others. Absent where the cloud has no clients of its own.
   */
  readonly isPassing?: (thrown: unknown) => boolean | undefined;
  /** How errors of this cloud say why there is no machine, or why it does not work. */
  readonly failureWords?: FailureWords;
  /** Makes clusters. Absent if specs can be inferred, read and checked, but the cloud cannot be used yet. */
  readonly driver?: CloudDriver;
}

export interface CloudDriver {
  /** The kinds of the cloud's tasks that have a name and a phase in kops. */
  readonly lifecycles: readonly KindLifecycle[];
  /**
   * The tasks of a completed cluster: objects in the state store and resources of the cloud. Pure and deterministic:
   * equal input gives equal tasks in equal order.
   */
  readonly model: () => Promise<(input: ModelInput) => readonly Task[]>;
  /**
   * The addons of a completed cluster, limited to what its prepared assets contain. Absent if machines pull images from
   * registries.
   */
  readonly addons?: () => Promise<(input: AddonInput) => RunnableAddons>;
  /** Whether an error means that the account lacks a permission. */
  readonly isForbidden?: (thrown: unknown) => boolean;
  readonly open: (options: OpenCloud) => Promise<CloudLayer>;
  readonly running: (options: OpenRunning) => Promise<RunningCluster>;
  /** The machines of a cluster as they are replaced. Absent where people make and end them. */
  readonly fleet?: (options: OpenFleet) => Promise<Fleet>;
  /** Renders the cloud's tasks as a Terraform configuration. Absent if that is not supported. */
  readonly terraform?: () => Promise<TerraformTarget>;
  readonly cloudFormation?: () => Promise<CloudFormationTarget>;
  /** Absent if those targets need nothing that only the cloud knows. */
  readonly factsForTools?: () => Promise<FactsForTools>;
  /** The machines of a cluster that runs on this computer, for `kopsctl toolbox`. */
  readonly hostMachines?: (cluster: StoredName, settings: HostSettings) => Promise<HostMachines>;
  /**
   * All that taking over a cluster changes, once kops has applied the spec. Absent if nobody has taken over a cluster in this
   * cloud yet.
   */
  readonly adoptionReasons?: AdoptionReasons;
  /** The types of machines that the region of a cluster offers. Absent where the cloud does not say what they have. */
  readonly instanceTypes?: (cluster: ExternalCluster, signal: AbortSignal) => Promise<readonly InstanceType[]>;
  /** A cluster that is known by its name and region alone, to be deleted. Absent where that is not enough to find it. */
  readonly external?: (cluster: string, region: string) => ExternalCluster;
  /** The command with which a person ends an instance for good; absent if the cloud has none. */
  readonly endInstance?: (instanceId: string) => string;
  /** Removes what is left of clusters on this computer that were not deleted properly, and returns what it removed. */
  readonly collectGarbage?: (settings: HostSettings) => Promise<readonly string[]>;
  /** A process of this program that the cloud keeps running on this computer: `kopsctl host-process <name> …`. */
  readonly hostProcess?: { readonly name: string; readonly run: (argv: readonly string[]) => Promise<void> };
}

/** Why something differs between a cluster that kops made and the same cluster of kopsctl, by kind. */
export interface AdoptionReasons {
  readonly changed: Readonly<Record<string, string>>;
  /** Kinds that the cloud never changes: where something differs, it is made beside what kops made. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** A cluster that no state store holds, as far as its cloud has to know it in order to find what belongs to it. */
export type ExternalCluster = Pick<Cluster, 'metadata' | 'spec'>;

/** The name of a cluster and the state store that holds it. */
export interface StoredName {
  readonly cluster: string;
  readonly storeUrl: string;
}

/** Machines on this computer, by name. Each method rejects a machine that does not exist. */
export interface HostMachines {
  /** The last part of a machine's console output. */
  console(machine: string): Promise<string>;
  /** The last part of what this suite's units, the runtime and kubelet logged there. */
  journal(machine: string): Promise<string>;
  /** Runs a command inside a machine as root, with this terminal's input and output. Returns its exit code. */
  exec(machine: string, command: readonly string[]): Promise<number>;
  reboot(machine: string): Promise<void>;
  terminate(machine: string): Promise<void>;
}

/**
 * What a cloud needs to know of the operator's machine: where clusters on this computer are kept, and how this
 * program is started again.
 */
export interface HostSettings {
  /** The folder of clusters on this computer, where a person named one: a cloud that has such clusters knows where it keeps them otherwise. */
  readonly dir?: string;
  /** The folder of prepared assets. */
  readonly assetsDir: string;
  /** The file with the person's identities of age. It need not exist. */
  readonly stateIdentity: string;
  /** Starts the program that this process runs. For a process of its own, a cloud appends HOST_PROCESS and its name (`hostProcess`). */
  readonly ownCommand: readonly string[];
}

export interface OpenCloud {
  readonly cluster: Pick<Cluster, 'metadata' | 'spec'>;
  /** The state store that holds the cluster. On this computer, only the machines of that store's cluster are used. */
  readonly storeUrl: string;
  readonly settings: HostSettings;
  /** Called with a sentence about each step that takes long. */
  readonly say: (line: string) => void;
  /**
   * Whether resources that the cluster itself created also count as the cluster's own, because all of it is to be
   * deleted.
   */
  readonly everything: boolean;
}

/** Carries out the tasks of a cluster's cloud. */
export interface CloudLayer {
  /** Ordered so that each kind depends only on earlier kinds. */
  readonly handlers: readonly Handler<object>[];
  /** What those handlers need in addition to what all handlers have. */
  readonly env: object;
  /** Looks up an existing network. Undefined if there is none with that id, or if the cloud has no networks. */
  readonly findVpcInfo: (id: string) => Promise<VpcInfo | undefined>;
  /**
   * Checks who can read the state store, before anything is written into it, and returns sentences about what is doubtful. Absent if
   * the cloud does not say. @throws ActionableError where the keys of the cluster would be open to strangers
   */
  readonly checkStore?: (signal: AbortSignal) => Promise<readonly string[]>;
  /**
   * Compares the images and machine types of completed groups with what the cloud offers, before anything is made. Absent if the
   * cloud itself refuses the ones that do not exist or do not fit each other at once.
   */
  readonly checkMachines?: (groups: readonly InstanceGroup[], signal: AbortSignal) => Promise<readonly Fault[]>;
  /** Runs after every resource of a cluster was deleted. Removes what is not a task. */
  readonly afterDelete?: () => Promise<void>;
}

/** Pairs handlers with their environment, so that no other code needs to know which cloud it is. */
export const cloudLayer = <Env extends object>(
  handlers: readonly Handler<Env>[],
  env: Env,
  more: Partial<Pick<CloudLayer, 'findVpcInfo' | 'checkStore' | 'checkMachines' | 'afterDelete'>> = {},
): CloudLayer => ({ handlers, env, findVpcInfo: async () => undefined, ...more });

export interface OpenRunning {
  readonly completed: Completed;
  readonly storeUrl: string;
  readonly settings: HostSettings;
}

export interface OpenFleet extends OpenRunning {
  /** The cluster's tasks, with outputs in the place of their references as far as these are known. */
  readonly tasks: () => Promise<readonly Task[]>;
  /** Tells the person a sentence about a change that was made, though not quite as it should be. */
  readonly note: (line: string) => void;
}

/** A machine as it is shown to users. */
export interface Machine {
  readonly name: string;
  readonly nodeName: string;
  readonly role: string;
  readonly instanceGroup: string;
  readonly address: string;
  /** Where it is reached from outside, as far as the cloud says. */
  readonly externalAddress?: string;
  /** What hardware it is, in the words of its cloud; absent where that is only known of its group. */
  readonly machineType?: string;
  readonly state: string;
}

/** The address of an API server. */
export interface ApiAddress {
  readonly server: string;
  /** The name in the server's certificate, if it differs from the one that is called. */
  readonly tlsServerName?: string;
}

/** A machine of an instance group that exists. Those of every role but Bastion must have a Node. */
export interface ExpectedNode {
  readonly nodeName: string;
  readonly instanceGroup: string;
  readonly role: NodeRole;
  /** /etc/machine-id, if the cloud knows it. Without it, a Node may belong to an earlier machine with the same name. */
  readonly machineId?: string;
  readonly running: boolean;
  /** It was taken out of its group, to be replaced later: the group does not count it, and nothing is asked of it. */
  readonly isDetached?: boolean;
  /** Every address at which it is reached, from within and from outside, according to the cloud. */
  readonly addresses?: readonly string[];
}

/** The machines of a cluster and how many of them its cloud keeps. */
export interface RunningMachines {
  readonly machines: readonly ExpectedNode[];
  /**
   * The number of machines that the cloud keeps of each instance group, by the group's name. Absent where the cloud has
   * no groups of its own: then a group has `minSize` machines.
   */
  readonly desired?: Readonly<Record<string, number>>;
  /** Why the cloud makes no more machines for groups that lack some, in its own words, by the group's name. */
  readonly shortfalls?: Readonly<Record<string, string>>;
}

/** What a cloud reports about a running cluster. */
export interface RunningCluster {
  /** @throws ActionableError while there is none */
  api(signal?: AbortSignal): Promise<ApiAddress>;
  machines(): Promise<readonly Machine[]>;
  /** What validation compares with the Nodes. */
  runningMachines(signal: AbortSignal): Promise<RunningMachines>;
  /**
   * The last part of what a machine wrote to its console, by its name in the cloud; empty if the cloud has none. Absent where it
   * keeps no consoles. A machine that was taken over writes what it wants there.
   */
  readonly console?: (machine: string, signal: AbortSignal) => Promise<string>;
}

/** What only the cloud knows of tasks that Terraform or CloudFormation carries out. */
export interface FactsForTools {
  /** Returns the tasks with the answers of the cloud added. */
  readonly ask: (cluster: Cluster, tasks: readonly Task[]) => Promise<readonly Task[]>;
  /** A sentence about each value that is assumed because the tasks lack the answer. Pure. */
  readonly assumed: (tasks: readonly Task[]) => readonly string[];
}

/**
 * Renders the tasks of a cluster as a CloudFormation template. Pure: equal tasks give an equal template.
 *
 * @param isWritten the tasks that the stack makes; references to others become parameters
 */
export type CloudFormationTarget = (
  tasks: readonly Task[],
  isWritten: (task: Task) => boolean,
  description: string,
) => CloudFormation;

export interface CloudFormation {
  readonly template: JsonObject;
  /** What CloudFormation cannot do, so that it is left to a direct update. */
  readonly left: readonly string[];
}
