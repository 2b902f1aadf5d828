import type { CloudName, SpecCloud } from '@kopsctl/spec/cloud.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { Handler, JsonObject, Task } from '@kopsctl/tasks/task.ts';
import type { RunnableAddons } from './addons/runnable-addons.ts';
import type { CloudCreation } from './create-cluster/cloud-creation.ts';
import type { KindLifecycle } from './lifecycle.ts';
import type { AddonInput, ModelInput } from './model-input.ts';
import type { TerraformTarget } from './terraform/target.ts';
import type { VpcInfo } from './vpc-info.ts';

/**
 * A cloud, as the control side knows it: everything that is this cloud's own hangs on this one object, and the registry
 * (clouds/control.ts) lists them. What is small and always asked is part of it; what is large is loaded when it is used.
 */
export interface Cloud extends SpecCloud {
  readonly name: CloudName;
  readonly creation: CloudCreation;
  /** Makes clusters; absent where specs are inferred, read and checked, and nothing drives the cloud yet. */
  readonly driver?: CloudDriver;
}

export interface CloudDriver {
  /** The kinds of the cloud's tasks that have a name and a phase in kops. */
  readonly lifecycles: readonly KindLifecycle[];
  /**
   * A completed cluster as tasks: what lies in the state store, and the cloud's things. Pure and deterministic: equal
   * input gives equal tasks in equal order.
   */
  readonly model: () => Promise<(input: ModelInput) => readonly Task[]>;
  /**
   * The addons of a completed cluster as its prepared assets let it have them; absent where machines pull their images from
   * registries.
   */
  readonly addons?: () => Promise<(input: AddonInput) => RunnableAddons>;
  /** Whether an error says that the account may not do something. */
  readonly isForbidden?: (thrown: unknown) => boolean;
  readonly open: (options: OpenCloud) => Promise<CloudLayer>;
  readonly running: (options: OpenRunning) => Promise<RunningCluster>;
  /** Writes the cloud's tasks as a Terraform configuration; absent where it cannot. */
  readonly terraform?: () => Promise<TerraformTarget>;
  readonly cloudFormation?: () => Promise<CloudFormationTarget>;
  /** The machines of a cluster where they run on this computer: what `kopsctl toolbox` does with them. */
  readonly hostMachines?: (cluster: StoredName, settings: HostSettings) => Promise<HostMachines>;
  /** Removes what clusters that ended without their leave left on this computer, and says what that was. */
  readonly collectGarbage?: (settings: HostSettings) => Promise<readonly string[]>;
  /** A process of this program that the cloud keeps running on this computer; `name` is its first argument. */
  readonly hostProcess?: { readonly name: string; readonly run: (argv: readonly string[]) => Promise<void> };
}

/** A cluster by its name and the state store that holds it. */
export interface StoredName {
  readonly cluster: string;
  readonly storeUrl: string;
}

/** Machines on this computer, by name. Each refuses a machine that is not there. */
export interface HostMachines {
  /** The end of what a machine wrote to its console. */
  console(machine: string): Promise<string>;
  /** Runs a command inside a machine, as its root, with this terminal's input and output. Returns its exit code. */
  exec(machine: string, command: readonly string[]): Promise<number>;
  reboot(machine: string): Promise<void>;
  terminate(machine: string): Promise<void>;
}

/** What the operator's machine is to a cloud: where it keeps local clusters, and how it starts this program again. */
export interface HostSettings {
  /** The folder of local clusters. */
  readonly dir: string;
  /** The folder of prepared assets. */
  readonly assetsDir: string;
  /** Starts the program that this process runs; a cloud adds the name of its own process (`hostProcess`). */
  readonly ownCommand: readonly string[];
}

export interface OpenCloud {
  readonly cluster: Pick<Cluster, 'metadata' | 'spec'>;
  /** The state store that holds the cluster: on this computer, its machines are those of that store alone. */
  readonly storeUrl: string;
  readonly settings: HostSettings;
  /** Told in a sentence what takes long. */
  readonly say: (line: string) => void;
  /** What the cluster itself made counts as its own as well: all of it is to go. */
  readonly everything: boolean;
}

/** What carries out the tasks of a cluster's cloud. */
export interface CloudLayer {
  /** In the order in which things of a kind stand on things of earlier kinds. */
  readonly handlers: readonly Handler<object>[];
  /** What those handlers work with, beside what all handlers have. */
  readonly env: object;
  /** A network that exists; undefined where there is none of that id, or where the cloud has no networks. */
  readonly findVpcInfo: (id: string) => Promise<VpcInfo | undefined>;
  /** Runs after every resource of a cluster was deleted. Removes what is not a task. */
  readonly afterDelete?: () => Promise<void>;
}

/** Pairs handlers with what they work with, so that nothing else has to know which cloud it is. */
export const cloudLayer = <Env extends object>(
  handlers: readonly Handler<Env>[],
  env: Env,
  more: Partial<Pick<CloudLayer, 'findVpcInfo' | 'afterDelete'>> = {},
): CloudLayer => ({ handlers, env, findVpcInfo: async () => undefined, ...more });

export interface OpenRunning {
  readonly completed: Completed;
  readonly storeUrl: string;
  readonly settings: HostSettings;
}

/** A machine as people look at it. */
export interface Machine {
  readonly name: string;
  readonly nodeName: string;
  readonly role: string;
  readonly instanceGroup: string;
  readonly address: string;
  readonly state: string;
}

/** Where an API server answers. */
export interface ApiAddress {
  readonly server: string;
  /** The name in the server's certificate, where it is not the one that is called. */
  readonly tlsServerName?: string;
}

export interface ExpectedNode {
  readonly nodeName: string;
  readonly instanceGroup: string;
  readonly role: NodeRole;
  /** /etc/machine-id, where the cloud tells it: a Node may still be that of a machine of the same name before. */
  readonly machineId?: string;
  readonly running: boolean;
}

/** What a cloud tells of a cluster that was made in it. */
export interface RunningCluster {
  /** @throws ActionableError while it has none */
  api(): Promise<ApiAddress>;
  machines(): Promise<readonly Machine[]>;
  /** What has to be a Node: what is to be is among them where it is not there yet. */
  expectedNodes(): Promise<readonly ExpectedNode[]>;
}

/** Writes the tasks of a cluster down for CloudFormation. Pure; equal tasks give an equal template. */
export type CloudFormationTarget = (tasks: readonly Task[], description: string) => JsonObject;
