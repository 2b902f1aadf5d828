import type { GlobalOptions } from '../flags/global-options.ts';

/** A command for a person to run next, in the same state store. */
export const nextCommand = ({ stateFlag }: Pick<GlobalOptions, 'stateFlag'>, words: readonly string[]): string =>
  ['kopsctl', ...words, ...(stateFlag === undefined ? [] : ['--state', stateFlag])].join(' ');

/** Commands that need no state store. */
const WITHOUT_STORE = /^toolbox (?:schema|convert|gc)\b|^--version\b/;

/** The same for a sentence that names commands: each in backquotes gets the state store that was given by --state. */
export const withState = (sentence: string, stateFlag: string | undefined): string =>
  stateFlag === undefined
    ? sentence
    : sentence.replace(/`kopsctl ([^`]+)`/g, (whole, words: string) =>
        WITHOUT_STORE.test(words) || words.includes('--state') ? whole : `\`kopsctl ${words} --state ${stateFlag}\``,
      );
