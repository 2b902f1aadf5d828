/** A longer list tells a person nothing: more has to be typed. A store holds the names of all machines that there ever were. */
const MAX_NAMES = 100;

/** Of the names that may stand there, those that begin as it was typed. Pure. */
export const fittingNames = (names: readonly string[], typed: string): readonly string[] =>
  names.filter((name) => name.startsWith(typed)).slice(0, MAX_NAMES);
