import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import { type ClusterAccess, accessCluster } from './access/cluster-access.ts';
import { localSettings } from './cloud/local-settings.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { cordon, removeNode, uncordon } from './machines/cordon.ts';
import { drainNode } from './machines/drain-node.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { waitUntilValid } from './phases/wait-until-valid.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';
import type { ValidationFailure } from './validate/plan-validation.ts';

/** Pods that leave send no events here. */
const LOOK_AGAIN_MS = 500;

export interface DeleteInstanceRequest {
  /** The instance's id in its cloud, or the name of its Node. */
  readonly instance: string;
  readonly yes: boolean;
  /** The API server is asked nothing: no drain, no validation. */
  readonly cloudOnly: boolean;
  readonly failOnDrainError: boolean;
  readonly failOnValidateError: boolean;
  readonly drainTimeoutMs: number;
  readonly postDrainDelayMs: number;
  readonly validationTimeoutMs: number;
  readonly validateCount: number;
}

export interface DeletedInstance {
  readonly cluster: string;
  readonly machine: Machine;
  /** What is wrong with the cluster afterwards; absent where nobody looked. */
  readonly failures?: readonly ValidationFailure[];
}

/** Drains a machine and deletes it; its group makes another one where the cloud does that. */
export async function deleteInstance(context: ActionContext, request: DeleteInstanceRequest): Promise<DeletedInstance> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const settings = localSettings(context.env, undefined);
  const running = await openRunningCluster(store, cluster, settings);
  const machine = chooseMachine(cluster, request.instance, await running.machines());
  const { terminate } = running;
  if (terminate === undefined) {
    throw new ActionableError({
      what: `delete the instance ${machine.name} of ${cluster}`,
      why: 'its cloud gives kopsctl no way to end a machine',
      next: 'end it yourself, and delete its Node: `kubectl delete node NAME`',
    });
  }
  if (!request.yes) return { cluster, machine };
  return withClusterLock(store, cluster, 'delete-instance', context.signal, async (signal) => {
    const access = request.cloudOnly ? undefined : await accessCluster(store, cluster, settings, { signal });
    if (access !== undefined) await refuseWithoutOthers(context, { store, cluster, access }, machine, request);
    if (access !== undefined && machine.nodeName !== '') await leave(context, access, machine, request, signal);
    await inPhase(context, `end ${machine.name}`, () => terminate(machine.name, signal));
    if (access === undefined) return { cluster, machine };
    if (machine.nodeName !== '') await removeNode(access.kube, machine.nodeName, signal);
    const { desired } = await running.runningMachines(signal);
    if (desired === undefined) {
      note(context, 'Its cloud makes no other one by itself: `kopsctl update cluster --yes` does');
      return { cluster, machine };
    }
    const { failures } = await inPhase(context, 'wait until the cluster is valid', () =>
      waitUntilValid(context, {
        store,
        cluster,
        access,
        waitMs: request.validationTimeoutMs,
        count: request.validateCount,
        looksAtFoundations: true,
      }),
    );
    return { cluster, machine, failures };
  });
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

/** The control planes that stay must hold the quorum of etcd: all members must be well before one goes. */
async function refuseWithoutOthers(
  context: ActionContext,
  found: {
    readonly store: Parameters<typeof waitUntilValid>[1]['store'];
    readonly cluster: string;
    readonly access: ClusterAccess;
  },
  { name, role }: Machine,
  { failOnValidateError }: DeleteInstanceRequest,
): Promise<void> {
  if (role !== 'ControlPlane' || !failOnValidateError) return;
  const { failures } = await waitUntilValid(context, { ...found, waitMs: 0, looksAtFoundations: true });
  const ill = failures.filter(({ kind }) => kind === 'Etcd' || kind === 'API');
  if (ill.length === 0) return;
  throw new ActionableError({
    what: `delete the control plane ${name}`,
    why: ill.map(({ name: of, message }) => `${of} ${message}`).join('; '),
    next: 'bring etcd in order first (`kopsctl etcd doctor`), or add --fail-on-validate-error=false if it is this machine that is ill',
  });
}

/** Takes the pods off a machine. Where that fails, pods may be scheduled to it again, and it stays. */
async function leave(
  context: ActionContext,
  { kube }: ClusterAccess,
  { nodeName: node }: Machine,
  { failOnDrainError, drainTimeoutMs, postDrainDelayMs }: DeleteInstanceRequest,
  signal: AbortSignal,
): Promise<void> {
  if ((await kube.get(`/api/v1/nodes/${encodeURIComponent(node)}`, signal)) === undefined) return;
  await inPhase(context, `cordon ${node}`, () => cordon(kube, node, signal));
  try {
    const nowMs = (): number => Date.now();
    const onHeldBack = (pod: string, why: string): void => note(context, `${pod} stays for now: ${why}`);
    const draining = { kube, node, timeoutMs: drainTimeoutMs, lookAgainMs: LOOK_AGAIN_MS, nowMs, onHeldBack };
    await inPhase(context, `drain ${node}`, () => drainNode(draining, signal));
    await sleep(postDrainDelayMs, undefined, { signal });
  } catch (error) {
    if (!failOnDrainError && !signal.aborted) {
      note(context, `${messageOf(error)}; it is deleted nevertheless`);
      return;
    }
    await takeBack(context, kube, node);
    throw error;
  }
}

/** The action may have been ended: this gets a time of its own. */
async function takeBack(context: ActionContext, kube: ClusterAccess['kube'], node: string): Promise<void> {
  try {
    await uncordon(kube, node, AbortSignal.timeout(10_000));
    note(context, `${node} takes pods again`);
  } catch (error) {
    note(context, `${node} is still cordoned (${messageOf(error)}): \`kubectl uncordon ${node}\``);
  }
}
