import { ADMIN_LIFETIME_HOURS } from '@kopsctl/actions/access/admin-lifetime.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { GlobalOptions } from '../flags/global-options.ts';
import { doesSomething } from '../help/command-tree.ts';
import { ROLL_DEFAULTS } from '../flags/roll-defaults.ts';
import { wordsWithCommas } from '../flags/words-with-commas.ts';

/** What a declaration is given: the tree to hang its commands on, and how to run them. */
export interface Declaring {
  readonly program: Command;
  /** The tree with all commands, where that is only what a command line names. */
  readonly whole: () => Promise<Command>;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Wraps an action for commander: it gets the global options first, and its result is the exit code.
   * An action imports its code when it runs, so that no command pays for the others.
   */
  readonly run: <Args extends unknown[]>(
    action: (global: GlobalOptions, ...args: Args) => Promise<number>,
  ) => (...args: Args) => Promise<void>;
}

/** Declares the options of one group of commands. */
export type Declare = (declaring: Declaring) => void;

/** The command of that name below another, made if it does not exist yet: several files add to `create`. */
export function group(parent: Command, name: string, description: string): Command {
  return parent.commands.find((one) => one.name() === name) ?? parent.command(name).description(description);
}

/** Where the prepared assets are. */
export const assetsOption = () => new Option('--assets <dir>', 'the folder of prepared assets').env('KOPSCTL_ASSETS');

/** How objects are printed. */
export const outputOption = () =>
  new Option('-o, --output <format>', 'how to print').choices(['table', 'yaml', 'json']).default('table');

/** How a command that prints no objects tells what it did. */
const resultsOption = () =>
  new Option('-o, --output <format>', 'how results, notes and errors are printed')
    .choices(['text', 'json'])
    .default('text');

/** Adds `-o` to every command below this one that does something and does not have it yet. */
export function addResultsOption({ commands }: Command): void {
  for (const command of commands) {
    // In `toolbox template`, `--output` names a file, as in kops.
    const hasOutput = command.options.some(({ long }) => long === '--output');
    if (doesSomething(command) && !hasOutput) command.addOption(resultsOption());
    addResultsOption(command);
  }
}

/** How machines are printed: `wide` has their hardware and operating system as well. */
export const wideOutputOption = () =>
  new Option('-o, --output <format>', 'how to print').choices(['table', 'wide', 'yaml', 'json']).default('table');

/** The version of the API in which objects are printed. */
export const apiVersionOption = () =>
  new Option('--api-version <version>', 'the version of the API').choices(['v1alpha2', 'v1alpha3']).default('v1alpha2');

/** A list that is given with commas, by repetition, or both; quotes keep a comma in a word. */
export const listOption = (flags: string, description: string) =>
  new Option(flags, description).argParser<readonly string[]>((text, previous) => [
    ...(previous ?? []),
    ...wordsWithCommas(text)
      .map((word) => word.text.trim())
      .filter((word) => word !== ''),
  ]);

/** Words that are taken one by one, commas and all, by repetition. */
export const repeatedOption = (flags: string, description: string) =>
  new Option(flags, description).argParser<readonly string[]>((text, previous) => [...(previous ?? []), text]);

/** A whole number of at least 0. */
export const countOption = (flags: string, description: string) => new Option(flags, description).argParser(parseCount);

/** @throws InvalidArgumentError where the text is not such a number */
export function parseCount(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('It is not a whole number of at least 0.');
}

/** `--flag`, and out of sight `--no-flag`, which is how `--flag=false` is read. */
export function switchOptions(flag: string, description: string): readonly Option[] {
  return [new Option(`--${flag}`, description), new Option(`--no-${flag}`).hideHelp()];
}

/** The same option under a name that kops had for it: it works, and help does not show it. */
export function formerly(option: Option, former: string): readonly Option[] {
  const { long, flags, parseArg } = option;
  const old = new Option(flags.replace(long ?? '', `--${former}`)).hideHelp();
  if (parseArg !== undefined) old.argParser(parseArg);
  return [option, old];
}

/** The same option under other names that kops takes for it: out of sight, and each sets what the first one does. */
export function alsoSpelled(option: Option, ...others: readonly string[]): readonly Option[] {
  const hidden = others.map((other) => {
    const [, old = option] = formerly(option, other);
    old.attributeName = () => option.attributeName();
    return old;
  });
  return [option, ...hidden];
}

/** Files of objects, as kops takes them: with commas, by repetition, or both. */
export const filesOption = (description: string) => listOption('-f, --filename <files>', description);

/** `--admin`, alone or with a duration: kops's default unless given. */
export const adminOption = (description: string) =>
  new Option('--admin [duration]', description).preset(`${ADMIN_LIFETIME_HOURS}h`);

/** Where the API is asked. */
export const apiServerOption = () =>
  new Option('--api-server <url>', 'ask the API of the cluster at this URL, instead of where its cloud says');

/** How many machines a rolling update may take away. */
export const budgetOption = () =>
  new Option('--budget <count|percent>', 'how many machines of all groups together may be missing at once').default(
    ROLL_DEFAULTS.budget,
  );

/** How long it waits for pods. */
export const drainTimeoutOption = () =>
  new Option('--drain-timeout <duration>', 'how long pods of a machine may take to leave it').default(
    ROLL_DEFAULTS.drainTimeout,
  );

/** How long it waits for the cluster. */
export const validationTimeoutOption = () =>
  new Option('--validation-timeout <duration>', 'how long the cluster may take to become valid').default(
    ROLL_DEFAULTS.validationTimeout,
  );
