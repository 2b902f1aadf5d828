/** A longer list tells a person nothing: more has to be typed. A store holds the names of all machines that there ever were. */
const MAX_NAMES = 100;

/**
 * What names of clusters, groups, machines and keysets are made of. A shell may insert a word as it is, and whoever can write
 * into the store chooses names there.
 */
const HARMLESS = /^[A-Za-z0-9][A-Za-z0-9._:@+-]*$/;

/** Those of the names that may stand there that begin as it was typed. Pure. */
export const fittingNames = (names: readonly string[], typed: string): readonly string[] =>
  names.filter((name) => name.startsWith(typed) && HARMLESS.test(name)).slice(0, MAX_NAMES);
