import type { Command } from 'commander';

/** A command, and the words that name it. */
export interface NamedCommand {
  readonly path: string;
  readonly command: Command;
}

/** Whether a command does something itself, and is not merely a group of others. */
export const doesSomething = ({ commands, registeredArguments, options }: Command): boolean =>
  commands.length === 0 || registeredArguments.length > 0 || options.some(({ long }) => long === '--filename');

/** Every command that help shows, those above before those below them. */
export function visibleCommands(command: Command, path: readonly string[] = []): readonly NamedCommand[] {
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
  return below.flatMap((one) => {
    const words = [...path, one.name()];
    return [{ path: words.join(' '), command: one }, ...visibleCommands(one, words)];
  });
}
