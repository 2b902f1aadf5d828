import type { Fleet } from '@kopsctl/model/fleet.ts';
import type { OutdatedMachine } from '../outdated/plan-outdated.ts';
import { inParallel } from '../store/in-parallel.ts';
import type { Roll, Turn } from './roll.ts';

/** A machine that is replaced although people asked for it to be changed in place, and why. */
export interface NotInPlace {
  readonly machine: string;
  readonly why: string;
}

export interface InPlaceChoice {
  readonly outdated: readonly OutdatedMachine[];
  readonly refused: readonly NotInPlace[];
}

/** Marks the machines that can become what their plan says as they are. All others are replaced. */
export async function chooseInPlace(
  outdated: readonly OutdatedMachine[],
  { inPlace: fleet }: Pick<Fleet, 'inPlace'>,
  former: Roll | undefined,
  signal: AbortSignal,
): Promise<InPlaceChoice> {
  const refused: NotInPlace[] = [];
  const chosen = [...outdated];
  await inParallel([...outdated.entries()], async ([index, one]) => {
    const { machine, runs: from, wanted: to, convergence } = one;
    const refuse = (why: string): void => void refused.push({ machine: machine.name, why });
    if (fleet === undefined) return refuse('machines of its cloud always stay as they were created');
    if (one.reason !== 'older') return refuse('its plan is not what is outdated');
    const begun = changeBegun(former, machine.id, { from, to });
    if (begun !== undefined && (await fleet.isPossible(machine, begun, signal))) {
      chosen[index] = { ...one, inPlace: begun };
      return;
    }
    if (from === undefined || to === undefined || convergence === undefined)
      return refuse('it is not known what it runs');
    if (machine.standing === 'warm' || machine.nodeName === '') return refuse('it is not a Node');
    const [fault] = convergence.faults;
    if (fault !== undefined) return refuse(fault);
    if (!(await fleet.isPossible(machine, { from, to }, signal)))
      return refuse('more than its plan differs: its image, hardware or agents');
    chosen[index] = { ...one, inPlace: { from, to, drains: convergence.drains } };
  });
  return { outdated: chosen, refused: refused.toSorted((a, b) => (a.machine < b.machine ? -1 : 1)) };
}

/**
 * The change that a rolling update had begun before it was cut off or failed, where it leads to what the machine is to be now:
 * the machine may have become that without its cloud knowing of it. One that failed and still runs what it ran is tried like
 * any other.
 */
function changeBegun(
  former: Roll | undefined,
  id: string,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): Turn['inPlace'] {
  const turn = former?.turns.find((one) => one.id === id && one.step !== 'done' && one.inPlace?.to === to);
  return turn?.step === 'failed' && turn.inPlace?.from === from ? undefined : turn?.inPlace;
}
