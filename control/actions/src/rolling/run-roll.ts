import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { keepHeapSmall } from '@kopsctl/agent/small-engine.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import type { Journal } from '../store/journal.ts';
import { repeatedJournal } from '../store/repeated-journal.ts';
import type { Effect, EffectStep, Outcome } from './effect.ts';
import { patiently } from './patiently.ts';
import { planRoll } from './plan-roll.ts';
import { mayPass, repeatPassing } from '../phases/repeat-passing.ts';
import type { Roll, Turn } from './roll.ts';
import type { RollSettings } from './roll-settings.ts';
import type { Seen } from './seen.ts';
import { sharingLooks } from './shared-looks.ts';
import { type StepEnv, takeStep } from './take-step.ts';

export interface RollEnv extends StepEnv {
  readonly journal: Journal<Roll>;
  readonly observe: (signal: AbortSignal, turns: readonly Turn[]) => Promise<Seen>;
  /** Called with the journal before and after each change of it. */
  readonly onChange: (before: Roll, after: Roll) => void;
}

interface UnderWay {
  readonly step: EffectStep;
  readonly ended: Promise<void>;
  readonly giveUp: AbortController;
}

/**
 * Rolls a cluster until all is done, nothing more can be, or the person stops it: looks, plans, writes the plan into the
 * journal, and only then takes its steps, over and over. Resolves with the journal.
 *
 * @param stop puts back what can be put back; `signal` ends everything at once, because the lock was lost
 */
export async function runRoll(
  start: Roll,
  settings: RollSettings,
  given: RollEnv,
  { stop, signal }: { readonly stop: AbortSignal; readonly signal: AbortSignal },
): Promise<Roll> {
  // Each look reads all Nodes again: with a thousand, V8 would let a hundred megabytes of garbage pile up.
  keepHeapSmall();
  const journal = repeatedJournal(given.journal, given, signal);
  const env = { ...given, journal, fleet: sharingLooks(given.fleet, signal) };
  const wake = new Wake();
  const ring = (): void => wake.ring();
  stop.addEventListener('abort', ring);
  const steps = new StepsUnderWay(env, signal, ring);
  const look = patiently(env, settings.validationTimeoutMs);
  try {
    let roll = await journal.write(start);
    let hasRefused = false;
    for (;;) {
      signal.throwIfAborted();
      const seen = await look(signal, roll.turns);
      if (seen !== undefined) {
        const wish = (await journal.refresh())?.wish;
        const outcomes = steps.takeOutcomes();
        hasRefused ||= outcomes.some(({ refused }) => refused === true);
        const plan = planRoll({
          roll: { ...roll, wish },
          seen,
          outcomes,
          settings,
          hasRefused,
          isStopping: stop.aborted,
        });
        if (!isSameJson(plan.roll, roll)) {
          const before = roll;
          roll = await journal.write(plan.roll);
          env.onChange(before, roll);
        }
        if (roll.state !== 'rolling') return roll;
        steps.follow(plan.effects);
      }
      await wake.wait(env.lookAgainMs, signal);
    }
  } finally {
    stop.removeEventListener('abort', ring);
    await steps.giveUpAll();
  }
}

/** The steps that this process takes now, one for each machine at most. */
class StepsUnderWay {
  readonly #env: StepEnv;
  readonly #signal: AbortSignal;
  readonly #onEnd: () => void;
  readonly #steps = new Map<string, UnderWay>();
  #outcomes: Outcome[] = [];

  constructor(env: StepEnv, signal: AbortSignal, onEnd: () => void) {
    this.#env = env;
    this.#signal = signal;
    this.#onEnd = onEnd;
  }

  takeOutcomes(): readonly Outcome[] {
    const outcomes = this.#outcomes;
    this.#outcomes = [];
    return outcomes;
  }

  /** Begins what is not under way and gives up what is no longer wanted; what follows on that begins once it has ended. */
  follow(effects: readonly Effect[]): void {
    const wanted = new Map(effects.map((effect) => [effect.turn.id, effect]));
    for (const [id, { step, giveUp }] of this.#steps) if (wanted.get(id)?.step !== step) giveUp.abort();
    for (const [id, effect] of wanted) {
      if (this.#steps.has(id)) continue;
      const giveUp = new AbortController();
      const ended = this.#take(effect, giveUp.signal).finally(() => {
        this.#steps.delete(id);
        this.#onEnd();
      });
      this.#steps.set(id, { step: effect.step, ended, giveUp });
    }
  }

  async giveUpAll(): Promise<void> {
    const steps = [...this.#steps.values()];
    for (const { giveUp } of steps) giveUp.abort();
    await Promise.all(steps.map(({ ended }) => ended));
  }

  /** A question is put to the person once. */
  #repeat(effect: Effect, signal: AbortSignal): Promise<boolean> {
    if (effect.step === 'ask') return takeStep(effect, this.#env, signal);
    const env = { ...this.#env, begunMs: this.#env.nowMs() };
    return repeatPassing(() => takeStep(effect, env, signal), env, signal);
  }

  async #take(effect: Effect, given: AbortSignal): Promise<void> {
    const { step, turn } = effect;
    const { id } = turn;
    try {
      const isAgreed = await this.#repeat(effect, AbortSignal.any([this.#signal, given]));
      if (!given.aborted) this.#outcomes.push({ id, step, ...(!isAgreed && { refused: true }) });
    } catch (error) {
      if (given.aborted || this.#signal.aborted) return;
      this.#outcomes.push({ id, step, error: messageOf(error), mayPass: mayPass(error) });
      // Beside the machine's own step, and repeated until it is seen to be done.
      if (step === 'taint' || step === 'admit') this.#env.say(`trying again: ${messageOf(error)}`);
    }
  }
}
