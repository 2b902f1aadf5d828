import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import type { ApiChoice } from './access/api-choice.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { rollCluster } from './roll-cluster.ts';
import type { Roll } from './rolling/roll.ts';

export interface DeleteInstanceRequest {
  /** The instance's id in its cloud, or the name of its Node. */
  readonly instance: string;
  readonly yes: boolean;
  /** The API server is asked nothing: no drain, no validation. */
  readonly cloudOnly: boolean;
  /** Where groups of the cloud make machines, another one is there before this one goes. */
  readonly surges: boolean;
  readonly failOnDrainError: boolean;
  readonly failOnValidateError: boolean;
  readonly drainTimeoutMs: number;
  readonly postDrainDelayMs: number;
  readonly validationTimeoutMs: number;
  readonly validateCount: number;
  /** Where the API is asked, if a person says so. */
  readonly choice?: ApiChoice | undefined;
}

export interface DeletedInstance {
  readonly cluster: string;
  readonly machine: Machine;
  /** How its replacement ended; absent where it was only shown. */
  readonly roll?: Roll;
}

/**
 * Drains a machine and deletes it, and another one takes its place: a rolling update of one machine, so that nothing goes
 * that others depend on, nobody else rolls meanwhile, and it resumes where it was interrupted.
 */
export async function deleteInstance(context: ActionContext, request: DeleteInstanceRequest): Promise<DeletedInstance> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const running = await openRunningCluster(store, cluster, hostSettings(context.env, undefined));
  const machines = await inPhase(context, 'ask the cloud for machines', () => running.machines());
  const machine = chooseMachine(cluster, request.instance, machines);
  const { surges, yes, ...wishes } = request;
  if (!yes) return { cluster, machine };
  const { roll } = await rollCluster(context, {
    ...wishes,
    cluster,
    yes,
    instance: machine.name,
    force: true,
    ofOne: { surges },
    interactive: false,
    budget: '1',
    intervalsMs: { Bastion: 0, ControlPlane: 0, APIServer: 0, Node: 0 },
    ask: async () => true,
  });
  return { cluster, machine, ...(roll && { roll }) };
}

/** @throws ActionableError that names the machines there are */
function chooseMachine(cluster: string, named: string, machines: readonly Machine[]): Machine {
  const found = machines.find(({ name, nodeName }) => name === named || nodeName === named);
  if (found !== undefined) return found;
  throw new ActionableError({
    what: `find the instance ${named} of ${cluster}`,
    why: `its cloud has ${machines.map(({ name }) => name).join(', ') || 'none of its machines'}`,
    next: 'see `kopsctl get instances`',
  });
}
