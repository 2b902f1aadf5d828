/** Words that every shell reads as they are. A `~` is none of them: shells expand it at the beginning, and after `=` and `:`. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word of a command of a POSIX shell, within quotes where the shell would read something else. */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : quotedShellWord(word);
}

/** The same, within quotes in any case. */
export function quotedShellWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command of a POSIX shell. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => shellWord(word)).join(' ');
}
