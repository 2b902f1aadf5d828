import { isUnderWay, type Roll, type Step, type Turn } from './roll.ts';

/** What happens in a rolling update, in the order in which it happens. */
export type RollEvent =
  | {
      readonly type: 'roll-started';
      readonly atMs: number;
      readonly roll: string;
      readonly machines: number;
      readonly resumed: boolean;
    }
  | {
      readonly type: 'machine-step';
      readonly atMs: number;
      readonly machine: string;
      /** Empty for bastions. */
      readonly node: string;
      readonly instanceGroup: string;
      readonly step: Step;
      readonly failure?: string;
    }
  | { readonly type: 'blocked'; readonly atMs: number; readonly why: string }
  | { readonly type: 'note'; readonly atMs: number; readonly line: string }
  | {
      readonly type: 'roll-ended';
      readonly atMs: number;
      readonly state: Roll['state'];
      readonly replaced: number;
      readonly failed: number;
      readonly left: number;
    };

/** What a change of the journal means. Pure. */
export function rollEvents(before: Roll, after: Roll, atMs: number): readonly RollEvent[] {
  const former = new Map(before.turns.map((turn) => [turn.id, turn.step]));
  const steps = after.turns.filter(({ id, step }) => former.get(id) !== step).map((turn) => stepEvent(turn, atMs));
  const why = after.blocked?.why;
  const blocked = why === undefined || why === before.blocked?.why ? [] : [{ type: 'blocked', atMs, why } as const];
  return [...steps, ...blocked, ...(after.state === before.state ? [] : [endEvent(after, atMs)])];
}

const stepEvent = ({ name, node, instanceGroup, step, failure }: Turn, atMs: number): RollEvent => ({
  type: 'machine-step',
  atMs,
  machine: name,
  node,
  instanceGroup,
  step,
  ...(failure !== undefined && { failure }),
});

const endEvent = ({ state, turns }: Roll, atMs: number): RollEvent => ({
  type: 'roll-ended',
  atMs,
  state,
  replaced: turns.filter(({ step }) => step === 'done').length,
  failed: turns.filter(({ step }) => step === 'failed').length,
  left: turns.filter((turn) => turn.step === 'waiting' || turn.step === 'surplus' || isUnderWay(turn)).length,
});
