import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { doesSomething } from './help/command-tree.ts';
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

/** Commands whose `--output` is not the form of what they print. */
const WITHOUT = new Map([['toolbox template', 'as in kops, it names the file that is written']]);

function withoutJson(command: Command, path: string): readonly string[] {
  const json = command.options.some(({ short, argChoices }) => short === '-o' && argChoices?.includes('json') === true);
  const below = command.commands.flatMap((one) => withoutJson(one, `${path} ${one.name()}`.trim()));
  return [...(doesSomething(command) && !json ? [path] : []), ...below];
}

test('every command that does something takes `-o json`', () => {
  expect(withoutJson(whole, '')).toEqual([...WITHOUT.keys()]);
});
