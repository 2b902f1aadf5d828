/**
 * What holds for flags that are not given, whichever command has them. kops pauses after a machine was deleted or drained;
 * kopsctl waits for the end of each step instead.
 */
export const ROLL_DEFAULTS = {
  budget: '25%',
  drainTimeout: '15m',
  validationTimeout: '15m',
  validateCount: '2',
  pause: '0s',
} as const;
