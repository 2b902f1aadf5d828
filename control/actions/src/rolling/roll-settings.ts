import type { Turn } from './roll.ts';
import type { RollingRules } from './rolling-rules.ts';

/** How a person wants a cluster to be rolled. */
export interface RollSettings {
  readonly rules: ReadonlyMap<string, RollingRules>;
  /** How many machines of all groups together may be missing at once. */
  readonly budget: number;
  /** The Kubernetes API is not used: nothing is drained and nothing validated. */
  readonly cloudOnly: boolean;
  readonly interactive: boolean;
  /** kopsctl makes the new machine; otherwise the cloud does. */
  readonly makes: boolean;
  readonly postDrainDelayMs: number;
  /** How often in a row the cluster has to be found valid. */
  readonly validateCount: number;
  readonly validationTimeoutMs: number;
  readonly failOnDrainError: boolean;
  readonly failOnValidateError: boolean;
  /** From the end of a machine to the first look at the cluster. */
  readonly intervalsMs: Readonly<Record<Turn['role'], number>>;
}
