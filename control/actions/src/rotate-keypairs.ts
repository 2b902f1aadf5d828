import { distrusted, isRotatable, promoted, withPair } from '@kopsctl/pki/keyset-changes.ts';
import type { Keyset } from '@kopsctl/pki/keyset.ts';
import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { localSettings } from './cloud/local-settings.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { changeKeyset, listKeysets } from './keys/change-keyset.ts';
import { keysetStates } from './keys/keyset-states.ts';
import { newPair } from './keys/new-pair.ts';
import { machinesBehind } from './keys/rotation/machines-behind.ts';
import { beginRotation, planRotation, type RotationPhase, type RotationStep } from './keys/rotation/plan-rotation.ts';
import { readRotation, type StoredRotation, writeRotation } from './keys/rotation/rotation-journal.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';

/**
 * Applies a cluster and replaces its machines until none is outdated. Resolves with false where it cannot be done now:
 * the rotation stops at its checkpoint.
 */
export type RollCluster = (context: ActionContext, cluster: string) => Promise<boolean>;

export interface RotateRequest {
  readonly cluster?: string | undefined;
  /** Changes are made; otherwise it is only said what is next. */
  readonly yes: boolean;
  /** Absent: the rotation stops wherever machines must be rolled, and says with which commands. */
  readonly roll?: RollCluster;
}

export interface RotatedKeypairs {
  readonly cluster: string;
  /** The checkpoint at which it stands. */
  readonly phase: RotationPhase;
  /** What is to be done next; `nothing` at its end. */
  readonly next: RotationStep;
}

/**
 * Exchanges all key pairs of a cluster: new pairs are made and trusted everywhere, then they sign, then the old ones lose
 * their trust, and between these steps all machines are rolled. How far it is lies in the state store, so whoever runs
 * it next goes on there.
 */
export async function rotateKeypairs(context: ActionContext, request: RotateRequest): Promise<RotatedKeypairs> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const settings = localSettings(context.env, undefined);
  const running = await openRunningCluster(store, cluster, settings);
  const found = await readRotation(store, cluster);
  const goesOn = found !== undefined && found.rotation.phase !== 'done';
  let stored: StoredRotation = goesOn ? found : await begin(context, store, cluster, found, request.yes);
  let rolled = '';
  for (;;) {
    context.signal.throwIfAborted();
    const { rotation }: StoredRotation = stored;
    const keysets = await readRotated(store, cluster, Object.keys(rotation.keysets));
    const facts = {
      keysets,
      machinesBehind: rotation.phase.startsWith('roll-')
        ? await machinesBehind(store, cluster, await running.machines(), await keysetStates(store, cluster))
        : [],
    };
    const next = planRotation(rotation, facts, Date.now());
    const stopped = { cluster, phase: rotation.phase, next };
    if (!request.yes || next.action === 'wait' || next.action === 'nothing') return stopped;
    if (next.action === 'roll') {
      const outdated = `${rotation.phase} ${next.machines.join(',')}`;
      // Machines that are behind after a roll stay so: something else is wrong with them.
      if (request.roll === undefined || rolled === outdated) return stopped;
      rolled = outdated;
      if (!(await request.roll(context, cluster))) return stopped;
      continue;
    }
    const before = stored;
    stored = await inPhase(context, `${rotation.phase}: ${next.action}`, () =>
      carryOut(context, { store, cluster, next, stored: before }),
    );
  }
}

async function begin(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  former: StoredRotation | undefined,
  yes: boolean,
): Promise<StoredRotation> {
  const names = (await listKeysets(store, cluster)).filter(isRotatable);
  const rotation = beginRotation(await readRotated(store, cluster, names), Date.now());
  if (!yes) return { rotation, version: '' };
  note(context, `Rotating ${names.join(', ')}`);
  return writeRotation(store, cluster, rotation, former);
}

async function readRotated(store: StateStore, cluster: string, names: readonly string[]): Promise<readonly Keyset[]> {
  const found = await Promise.all(names.map((name) => readKeyset(store, cluster, name)));
  return found.flatMap((one) => one?.keyset ?? []);
}

interface CarryingOut {
  readonly store: StateStore;
  readonly cluster: string;
  readonly next: Exclude<RotationStep, { action: 'roll' | 'wait' | 'nothing' }>;
  readonly stored: StoredRotation;
}

/** Each keyset is changed by one conditional write: a step that is cut short is planned again for the others. */
async function carryOut(
  context: ActionContext,
  { store, cluster, next, stored }: CarryingOut,
): Promise<StoredRotation> {
  if (next.action === 'advance') {
    note(context, `Rotation of ${cluster}: ${next.rotation.phase}`);
    return writeRotation(store, cluster, next.rotation, stored);
  }
  await withClusterLock(store, cluster, 'keypair', context.signal, async (signal) => {
    const change = (name: string, how: (keyset: Keyset) => Keyset | Promise<Keyset>) =>
      changeKeyset(store, cluster, name, how, signal);
    switch (next.action) {
      case 'create':
        for (const name of next.keysets) {
          await change(name, async (keyset) => withPair(keyset, await newPair(name, {}, Date.now()), false));
        }
        return;
      case 'promote':
        for (const [name, id] of Object.entries(next.pairs)) await change(name, (keyset) => promoted(keyset, id));
        return;
      case 'distrust':
        for (const name of next.keysets) await change(name, (keyset) => distrusted(keyset, [], Date.now()));
    }
  });
  return stored;
}
