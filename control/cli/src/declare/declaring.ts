import { Option, type Command } from 'commander';
import type { GlobalOptions } from '../program.ts';

/** What a declaration is given: the tree to hang its commands on, and how to run them. */
export interface Declaring {
  readonly program: Command;
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

/** The command of that name below another, made where nobody has made it yet: several files may add to `create`. */
export function group(parent: Command, name: string, description: string): Command {
  return parent.commands.find((one) => one.name() === name) ?? parent.command(name).description(description);
}

/** Where the prepared assets are. */
export const assetsOption = () => new Option('--assets <dir>', 'the folder of prepared assets').env('KOPSCTL_ASSETS');

/** How objects are printed. */
export const outputOption = () =>
  new Option('-o, --output <format>', 'how to print').choices(['table', 'yaml', 'json']).default('table');
