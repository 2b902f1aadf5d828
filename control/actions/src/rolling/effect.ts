import type { Turn } from './roll.ts';

/** What is done for a turn. `taint` and `admit` go beside its step. */
export const EFFECTS = [
  'ask',
  'detach',
  'cordon',
  'deregister',
  'drain',
  'converge',
  'delete',
  'make',
  'release',
] as const;
export type EffectStep = (typeof EFFECTS)[number] | 'taint' | 'admit';

export interface Effect {
  readonly step: EffectStep;
  readonly turn: Turn;
}

/** How the effect of a turn's step ended. */
export interface Outcome {
  readonly id: string;
  readonly step: EffectStep;
  readonly error?: string;
  /** It failed for longer than steps are repeated, and may succeed later. */
  readonly mayPass?: boolean;
  /** The answer to a question: not this machine, and no other. */
  readonly refused?: boolean;
}
