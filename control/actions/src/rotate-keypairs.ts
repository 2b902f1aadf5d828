import { isRotatable } from '@kopsctl/pki/keyset-changes.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import type { ApiChoice } from './access/api-choice.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { listKeysets } from './keys/change-keyset.ts';
import { keysetStates } from './keys/keyset-states.ts';
import { applyAndRoll } from './keys/rotation/apply-and-roll.ts';
import { carryOut, readRotated } from './keys/rotation/carry-out.ts';
import { machinesBehind } from './keys/rotation/machines-behind.ts';
import { noted } from './keys/rotation/noted.ts';
import {
  beginRotation,
  needsRightTime,
  planRotation,
  type Rotation,
  type RotationPhase,
  type RotationStep,
} from './keys/rotation/plan-rotation.ts';
import { rightTime, timeOfApi } from './keys/rotation/right-time.ts';
import { readRotation, type StoredRotation, writeRotation } from './keys/rotation/rotation-journal.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { type Asked, askedOf } from './rolling/asked.ts';
import { refuseUnadopted } from './store/origin.ts';
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
  // First: where the cluster cannot be reached, nothing is begun.
  const planNext = await openPlanner(context, { store, cluster }, request);
  const begun = await beginOrGoOn(context, { store, cluster }, request);
  const { manner } = begun;
  let { stored } = begun;
  let rolled = '';
  for (;;) {
    context.signal.throwIfAborted();
    const before = stored;
    const { rotation } = before;
    const next = await planNext(rotation);
    const stopped = { cluster, phase: rotation.phase, next };
    if (!request.yes || next.action === 'wait') return stopped;
    switch (next.action) {
      case 'nothing':
        await noted(context, () => writeRotation(store, cluster, { ...rotation, isTold: true }, before));
        return stopped;
      case 'roll': {
        const outdated = `${rotation.phase} ${next.machines.join(',')}`;
        // Machines that are behind after a roll stay so: something else is wrong with them.
        if (manner === undefined || rolled === outdated) return stopped;
        rolled = outdated;
        if (!(await applyAndRoll(context, cluster, manner))) return stopped;
        break;
      }
      default:
        stored = await inPhase(context, `${rotation.phase}: ${next.action}`, () =>
          carryOut(context, { store, cluster, next, stored: before }),
        );
    }
  }
}

interface Place {
  readonly store: StateStore;
  readonly cluster: string;
}

/** Continues what an earlier run left, or begins, and notes how machines are to be rolled. */
async function beginOrGoOn(
  context: ActionContext,
  place: Place,
  { yes, manner: given }: RotateRequest,
): Promise<{ readonly stored: StoredRotation; readonly manner: RollManner | undefined }> {
  const { store, cluster } = place;
  const found = await readRotation(store, cluster);
  const goesOn = found !== undefined && (found.rotation.phase !== 'done' || found.rotation.isTold === false);
  const manner = given && mannerOf(given, goesOn ? found.rotation.manner : undefined);
  const asked = manner && askedOf(manner);
  const stored = goesOn ? found : await begin(context, { ...place, former: found, yes, asked });
  if (!yes || asked === undefined) return { stored, manner };
  return { stored: await noteManner(context, { ...place, before: stored, manner: asked }), manner };
}

/** Looks at keysets, machines and the time, and says what is next. */
async function openPlanner(
  context: ActionContext,
  { store, cluster }: Place,
  request: RotateRequest,
): Promise<(rotation: Rotation) => Promise<RotationStep>> {
  const running = await openRunningCluster(store, cluster, hostSettings(context.env, undefined));
  const askTime = request.timeMs ?? (() => timeOfApi(context, { store, cluster, choice: request.choice }));
  return async (rotation) => {
    const facts = {
      keysets: await readRotated(store, cluster, Object.keys(rotation.keysets)),
      machinesBehind: rotation.phase.startsWith('roll-')
        ? await machinesBehind(store, cluster, await running.machines(), await keysetStates(store, cluster))
        : [],
    };
    // Two computers may take turns with a rotation, and one clock may be set in between: hours would be missing, or too many.
    const nowMs = needsRightTime(rotation, facts) ? await rightTime(context, askTime, request) : Date.now();
    return planRotation(rotation, facts, nowMs);
  };
}

/** How machines are rolled: as a person asks for it now, or has asked for it before. */
const mannerOf = ({ resumes = false, ...given }: RollManner, former: Asked | undefined): RollManner => ({
  ...given,
  ...(resumes && former),
});

interface Noting extends Place {
  readonly before: StoredRotation;
  readonly manner: Asked;
}

async function noteManner(context: ActionContext, { store, cluster, before, manner }: Noting): Promise<StoredRotation> {
  const { rotation } = before;
  if (rotation.manner !== undefined && isSameJson(rotation.manner, manner)) return before;
  return noted(context, () => writeRotation(store, cluster, { ...rotation, manner }, before));
}

interface Beginning extends Place {
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
