/** A value in an EnvironmentFile, systemd.exec(5): within double quotes these four characters need a backslash. */
export function environmentFileValue(text: string): string {
  return `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`;
}

/** A word of a command line in a unit, systemd.service(5): double quotes with backslash escapes; % and $ are doubled. */
export function commandLineWord(word: string): string {
  if (/^[\w@./:=,+-]+$/.test(word)) return word;
  return inUnitQuotes(word.replaceAll('$', '$$$$'));
}

/** A variable of Environment= and DefaultEnvironment=, systemd.exec(5): as a word of a command line, but $ means nothing. */
export function environmentAssignment(name: string, value: string): string {
  return inUnitQuotes(`${name}=${value}`);
}

function inUnitQuotes(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}
