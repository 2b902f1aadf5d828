/** A value in an EnvironmentFile, systemd.exec(5): within double quotes these four characters need a backslash. */
export function environmentFileValue(text: string): string {
  return `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`;
}

/** A word of a command line in a unit, systemd.service(5): double quotes with backslash escapes; % and $ are doubled. */
export function commandLineWord(word: string): string {
  if (/^[\w@./:=,+-]+$/.test(word)) return word;
  return `"${word.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}
