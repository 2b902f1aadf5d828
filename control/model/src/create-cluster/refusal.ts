import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** The one clear error of flags that make no cluster. */
export const refusal = (why: string, next: string): ActionableError =>
  new ActionableError({ what: 'infer a cluster from these flags', why, next });

/** A flag whose value is none of a few words. */
export const unknownWord = (flag: string, value: string, words: readonly string[]): ActionableError =>
  refusal(`${flag} is '${value}'`, `choose one of ${words.join(', ')}`);
