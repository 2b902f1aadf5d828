import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { distrusted, isRotatable, promoted, withPair } from '@kopsctl/pki/keyset-changes.ts';
import type { Keyset } from '@kopsctl/pki/keyset.ts';
import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import type { ApiChoice } from './access/api-choice.ts';
import { accessCluster } from './access/cluster-access.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { changeKeyset, listKeysets } from './keys/change-keyset.ts';
import { keysetStates } from './keys/keyset-states.ts';
import { newPair } from './keys/new-pair.ts';
import { machinesBehind } from './keys/rotation/machines-behind.ts';
import {
  beginRotation,
  needsRightTime,
  planRotation,
  type RotationPhase,
  type RotationStep,
} from './keys/rotation/plan-rotation.ts';
import { applyAndRoll } from './keys/rotation/apply-and-roll.ts';
import { readRotation, type StoredRotation, writeRotation } from './keys/rotation/rotation-journal.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { patienceOf, repeatPassing } from './phases/repeat-passing.ts';
import { type Asked, askedOf } from './rolling/asked.ts';
import { refuseUnadopted } from './store/origin.ts';
import { withClusterLock } from './store/with-cluster-lock.ts';
import { refuseBesideOperation } from './upgrade/refuse-beside-operation.ts';
import type { RollManner } from './roll-cluster.ts';

export interface RotateRequest {
  readonly cluster?: string | undefined;
  /** Changes are made; otherwise what is next is only said. */
  readonly yes: boolean;
  /** Absent: the rotation stops wherever machines must be rolled, and says with which commands. */
  readonly manner?: RollManner;
  /** Where the API is asked, if not where its cloud says. */
  readonly choice?: ApiChoice;
  /** What time it is, by a clock that is right, in ms since 1970: that of the API server unless given. */
  readonly timeMs?: (signal: AbortSignal) => Promise<number>;
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
 * their trust, and between these steps all machines are rolled. The state store holds how far it is, so the next
 * run continues there.
 */
export async function rotateKeypairs(context: ActionContext, request: RotateRequest): Promise<RotatedKeypairs> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  if (request.yes) {
    await refuseUnadopted(store, cluster);
    await refuseBesideOperation(store, cluster, { what: `rotate the key pairs of ${cluster}` }, context.signal);
  }
  const settings = hostSettings(context.env, undefined);
  const running = await openRunningCluster(store, cluster, settings);
  const found = await readRotation(store, cluster);
  const goesOn = found !== undefined && (found.rotation.phase !== 'done' || found.rotation.isTold === false);
  const manner = request.manner && mannerOf(request.manner, goesOn ? found.rotation.manner : undefined);
  const asked = manner && askedOf(manner);
  let stored = goesOn ? found : await begin(context, { store, cluster, former: found, yes: request.yes, asked });
  if (request.yes && asked) stored = await noteManner(context, { store, cluster, before: stored, manner: asked });
  const askTime = request.timeMs ?? (() => timeOfApi(context, { store, cluster, choice: request.choice }));
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
    // Two computers may take turns with a rotation, and one clock may be set in between: hours would be missing, or too many.
    const nowMs = needsRightTime(rotation, facts) ? await rightTime(context, askTime, request) : Date.now();
    const next = planRotation(rotation, facts, nowMs);
    const stopped = { cluster, phase: rotation.phase, next };
    if (request.yes && next.action === 'nothing') {
      await noted(context, () => writeRotation(store, cluster, { ...rotation, isTold: true }, stored));
    }
    if (!request.yes || next.action === 'wait' || next.action === 'nothing') return stopped;
    if (next.action === 'roll') {
      const outdated = `${rotation.phase} ${next.machines.join(',')}`;
      // Machines that are behind after a roll stay so: something else is wrong with them.
      if (manner === undefined || rolled === outdated) return stopped;
      rolled = outdated;
      if (!(await applyAndRoll(context, cluster, manner))) return stopped;
      continue;
    }
    const before = stored;
    stored = await inPhase(context, `${rotation.phase}: ${next.action}`, () =>
      carryOut(context, { store, cluster, next, stored: before }),
    );
  }
}

interface Asking {
  readonly store: StateStore;
  readonly cluster: string;
  readonly choice: ApiChoice | undefined;
}

/** What is only shown may be wrong by as much as the clock of this computer, if the API is away. */
async function rightTime(
  context: ActionContext,
  ask: (signal: AbortSignal) => Promise<number>,
  { yes }: RotateRequest,
): Promise<number> {
  const { signal } = context;
  if (yes) return repeatPassing(() => ask(signal), patienceOf(context), signal);
  try {
    return await ask(signal);
  } catch (error) {
    signal.throwIfAborted();
    note(context, `Shown by the clock of this computer. ${messageOf(error)}`);
    return Date.now();
  }
}

/** @throws ActionableError where the API does not answer: then nobody knows how old tokens are */
async function timeOfApi({ env, signal }: ActionContext, { store, cluster, choice = {} }: Asking): Promise<number> {
  const { kube } = await accessCluster(store, cluster, hostSettings(env, undefined), { signal, choice, env });
  try {
    return await kube.timeMs(signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new ActionableError({
      what: `find out since when pods of ${cluster} get new tokens`,
      why: `the API server, by whose clock that is measured, was not asked: ${messageOf(cause)}`,
      next: `see \`kopsctl validate cluster ${cluster}\`, and repeat the command when the API answers`,
      cause,
    });
  }
}

/** How machines are rolled: as a person asks for it now, or has asked for it before. */
const mannerOf = ({ resumes = false, ...given }: RollManner, former: Asked | undefined): RollManner => ({
  ...given,
  ...(resumes && former),
});

/** What is noted of a rotation, which takes hours, is noted also where its store is away for a moment. */
const noted = (context: ActionContext, write: () => Promise<StoredRotation>): Promise<StoredRotation> =>
  repeatPassing(write, patienceOf(context), context.signal);

interface Noting {
  readonly store: StateStore;
  readonly cluster: string;
  readonly before: StoredRotation;
  readonly manner: Asked;
}

async function noteManner(context: ActionContext, { store, cluster, before, manner }: Noting): Promise<StoredRotation> {
  const { rotation } = before;
  if (rotation.manner !== undefined && isSameJson(rotation.manner, manner)) return before;
  return noted(context, () => writeRotation(store, cluster, { ...rotation, manner }, before));
}

interface Beginning {
  readonly store: StateStore;
  readonly cluster: string;
  readonly former: StoredRotation | undefined;
  readonly yes: boolean;
  readonly asked: Asked | undefined;
}

async function begin(
  context: ActionContext,
  { store, cluster, former, yes, asked }: Beginning,
): Promise<StoredRotation> {
  const names = (await listKeysets(store, cluster)).filter(isRotatable);
  const rotation = beginRotation(await readRotated(store, cluster, names), Date.now());
  if (!yes) return { rotation, version: '' };
  note(context, `Rotating ${names.join(', ')}`);
  return noted(context, () => writeRotation(store, cluster, { ...rotation, ...(asked && { manner: asked }) }, former));
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

/**
 * Each keyset is changed by one conditional write: a step that is cut short is planned again for the others. If it
 * was cut short after the write of one, that one is published before the checkpoint is passed: plans are made for what is
 * published.
 */
async function carryOut(
  context: ActionContext,
  { store, cluster, next, stored }: CarryingOut,
): Promise<StoredRotation> {
  await withClusterLock(store, cluster, 'keypair', context, async (signal) => {
    const change = (name: string, how: (keyset: Keyset) => Keyset | Promise<Keyset>) =>
      changeKeyset(store, cluster, name, how, signal);
    switch (next.action) {
      case 'create':
        for (const name of next.keysets) {
          await change(name, async (keyset) =>
            withPair(keyset, await newPair(name, {}, { nowMs: Date.now(), env: context.env }), false),
          );
        }
        return;
      case 'promote':
        for (const [name, id] of Object.entries(next.pairs)) await change(name, (keyset) => promoted(keyset, id));
        return;
      case 'distrust':
        for (const name of next.keysets) await change(name, (keyset) => distrusted(keyset, [], Date.now()));
        return;
      case 'advance':
        for (const { name } of await readRotated(store, cluster, Object.keys(next.rotation.keysets)))
          await change(name, (keyset) => keyset);
    }
  });
  if (next.action !== 'advance') return stored;
  note(context, `Rotation of ${cluster}: ${next.rotation.phase}`);
  const isEnd = next.rotation.phase === 'done';
  const rotation = { ...next.rotation, ...(isEnd && { isTold: false }) };
  return noted(context, () => writeRotation(store, cluster, rotation, stored));
}
