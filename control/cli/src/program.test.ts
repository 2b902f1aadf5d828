import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from './program.ts';

const program = (first?: string) => buildProgram({}, { code: 0, path: [], verbosity: 0 }, first);
const whole = await program();
const namesOf = (command: Command): readonly string[] => [command.name(), ...command.aliases()];

/** All that can be said of a command: its words, options and operands, and those of the commands below it. */
const declared = (command: Command): string =>
  JSON.stringify([
    namesOf(command),
    command.description(),
    command.usage(),
    command.options,
    command.registeredArguments,
    command.commands.map(declared),
  ]);

test.each(whole.commands.flatMap((command) => namesOf(command).map((word) => [word, command] as const)))(
  'for `kopsctl %s …` that command is declared, as it is among all of them, and few others are',
  async (word, command) => {
    const { commands } = await program(word);
    expect(commands.filter((one) => namesOf(one).includes(word)).map(declared)).toEqual([declared(command)]);
    expect(commands.length).toBeLessThan(whole.commands.length / 2);
  },
);

test.each(['help', '--state', 'creat', undefined])('for `kopsctl %s …` all commands are', async (word) => {
  expect((await program(word)).commands.map(namesOf)).toEqual(whole.commands.map(namesOf));
});
