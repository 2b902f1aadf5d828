import type { Command } from 'commander';

/** A command, and the words that name it. */
export interface NamedCommand {
  readonly path: string;
  readonly command: Command;
}

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
