import type { Command, Option } from 'commander';
import { visibleCommands } from './command-tree.ts';
import { examplesOf } from './examples.ts';

/** The manual pages (man(7)) of the program and of every command, by the name of their file. Pure. */
export function manualPages(program: Command, version: string): ReadonlyMap<string, string> {
  const all = visibleCommands(program);
  const pages = all.map(({ path, command }) => [fileOf(path), page({ path, command, program, version })] as const);
  const names = all.map(({ path }) => path);
  return new Map([['kopsctl.1', page({ path: '', command: program, program, version, others: names })], ...pages]);
}

const fileOf = (path: string): string => `${nameOf(path)}.1`;
const nameOf = (path: string): string => ['kopsctl', ...path.split(' ')].filter((word) => word !== '').join('-');

interface Page {
  readonly path: string;
  readonly command: Command;
  readonly program: Command;
  readonly version: string;
  /** The commands that the page refers to; without it, those below the command. */
  readonly others?: readonly string[];
}

function page({ path, command, program, version, others }: Page): string {
  const name = nameOf(path);
  const below = others ?? visibleCommands(command, path === '' ? [] : path.split(' ')).map((one) => one.path);
  const examples = examplesOf(path, command);
  const usage = ['kopsctl', ...path.split(' '), command.usage()].filter((word) => word !== '').join(' ');
  return [
    `.TH ${escaped(name.toUpperCase())} 1 "" "kopsctl ${escaped(version)}" "kopsctl manual"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(command.description())}`,
    '.SH SYNOPSIS',
    line(usage),
    ...section('OPTIONS', command.options.flatMap(option)),
    ...(command === program ? [] : section('GLOBAL OPTIONS', program.options.flatMap(option))),
    ...section(
      'EXAMPLES',
      examples.flatMap(([purpose, example]) => [
        '.PP',
        line(purpose),
        '.RS',
        '.nf',
        line(`kopsctl ${example}`),
        '.fi',
        '.RE',
      ]),
    ),
    ...(command === program ? section('EXIT STATUS', EXIT_STATUS) : []),
    ...section(
      'SEE ALSO',
      [...(path === '' ? [] : ['kopsctl']), ...below.map(nameOf)].flatMap((one) => [`.BR ${escaped(one)} (1)`]),
    ),
    '',
  ].join('\n');
}

const EXIT_STATUS = [
  ['0', 'done, or nothing to do'],
  ['1', 'failed'],
  ['2', 'changes are pending (with \\-\\-exit\\-code), or the cluster is not valid'],
  ['3', 'the command line or the spec is at fault'],
].flatMap(([code = '', meaning = '']) => ['.TP', `.B ${code}`, meaning]);

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`.SH ${title}`, ...lines];

function option({ flags, description, hidden, defaultValue, argChoices }: Option): readonly string[] {
  if (hidden) return [];
  const more = [
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(defaultValue === undefined || defaultValue === false ? [] : [`default: ${String(defaultValue)}`]),
  ];
  return ['.TP', `.B ${escaped(flags)}`, line(`${description}${more.length === 0 ? '' : ` (${more.join('; ')})`}`)];
}

/** A line of text: one that begins with a dot or an apostrophe would be a request. */
const line = (text: string): string => escaped(text).replace(/^(?=[.'])/, '\\&');

const escaped = (text: string): string => text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('\n', ' ');
