import { usageError } from './usage-error.ts';

/**
 * The name among the words of a command, after a word that kops once wanted before it and still takes: `admin` in
 * `create secret sshpublickey admin`, `secret` in `delete secret secret NAME`. Undefined if there is no name.
 *
 * @throws ActionableError if there are several names
 */
export function nameAfterFormer(former: string, words: readonly string[], what: string): string | undefined {
  const names = words[0] === former ? words.slice(1) : words;
  if (names.length <= 1) return names[0];
  throw usageError({
    what: `read the name of the ${what}`,
    why: `there are several: ${names.join(', ')}`,
    next: `name one ${what}; the value of a flag comes right after the flag, or after =`,
  });
}
