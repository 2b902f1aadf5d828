import { expect, test } from 'vitest';
import { arrange } from '../flags/arguments.ts';
import { buildProgram } from '../program.ts';
import { doesSomething, visibleCommands } from './command-tree.ts';
import { addExamples, EXAMPLES, examplesOf } from './examples.ts';
import { manualPages } from './manual.ts';

const program = () => buildProgram({}, { code: 0, path: [], verbosity: 0 });

test('every command has a description, and every one that does something has examples', async () => {
  const all = visibleCommands(await program());
  expect(all.filter(({ command }) => command.description() === '').map(({ path }) => path)).toEqual([]);
  expect(
    all.filter(({ path, command }) => doesSomething(command) && EXAMPLES[path] === undefined).map(({ path }) => path),
  ).toEqual([]);
});

test('the program and every group of commands have examples: those of commands below them', async () => {
  const parsed = await program();
  const all = [{ path: '', command: parsed }, ...visibleCommands(parsed)];
  expect(all.filter(({ path, command }) => examplesOf(path, command).length === 0).map(({ path }) => path)).toEqual([]);
  const [addons] = all.filter(({ path }) => path === 'toolbox addons');
  expect(addons && examplesOf(addons.path, addons.command)).toEqual([
    EXAMPLES['toolbox addons apply']?.[0],
    EXAMPLES['toolbox addons list']?.[0],
  ]);
});

test('every option has a description', async () => {
  const silent = visibleCommands(await program()).flatMap(({ path, command }) =>
    command.options
      .filter(({ hidden, description }) => !hidden && description === '')
      .map(({ flags }) => `${path} ${flags}`),
  );
  expect(silent).toEqual([]);
});

test.each(Object.entries(EXAMPLES).flatMap(([path, examples]) => examples.map(([, line]) => [line, path] as const)))(
  'the example `kopsctl %s` is a command line of `%s`',
  async (line, path) => {
    const [first] = line.split(' ');
    const parsed = await buildProgram({}, { code: 0, path: [], verbosity: 0 }, first);
    const ran: string[] = [];
    for (const { path: at, command } of visibleCommands(parsed)) command.action(() => void ran.push(at));
    await parsed.parseAsync([...arrange(line.split(' '), parsed).words], { from: 'user' });
    expect(ran).toEqual([path]);
  },
);

test('help of a command below others is its own, with examples, and without options of those above it', async () => {
  const parsed = await program();
  addExamples(parsed);
  const [named] = visibleCommands(parsed).filter(({ path }) => path === 'delete cluster');
  let help = '';
  named?.command.configureOutput({ writeOut: (text) => void (help += text) });
  named?.command.outputHelp();
  expect(help).toContain('Usage: kopsctl delete cluster [options] [cluster]');
  expect(help).toContain('Examples:');
  expect(help).not.toContain('--filename');
});

test('there is a manual page for the program and each command, in roff', async () => {
  const pages = manualPages(await program(), '1.2.3');
  expect(pages.size).toBe(visibleCommands(await program()).length + 1);
  const page = pages.get('kopsctl-get-secrets.1') ?? '';
  expect(page).toContain('.TH KOPSCTL\\-GET\\-SECRETS 1');
  expect(page).toContain('.SH EXAMPLES');
  expect(page).toContain('kopsctl get secrets dockerconfig \\-o plaintext');
  expect(pages.get('kopsctl.1')).toContain('kopsctl\\-update\\-cluster (1)');
  const strange = [...pages].flatMap(([name, text]) =>
    text
      .split('\n')
      .filter((line) => /^['.](?!TH|SH|SS|TP|B |BR|PP|nf|fi|RS|RE)/.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(strange).toEqual([]);
});
