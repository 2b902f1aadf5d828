import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** The error for flags that make no cluster. */
export const refusal = (why: string, next: string): ActionableError =>
  new ActionableError({ what: 'infer a cluster from these flags', why, next, isUsage: true });

/** The error for a flag whose value is not one of the allowed words. */
export const unknownWord = (flag: string, value: string, words: readonly string[]): ActionableError =>
  refusal(`${flag} is '${value}'`, `choose one of ${words.join(', ')}`);
