import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import type { Command, Option } from 'commander';
import { usageError } from './usage-error.ts';

/** What was understood of the words so far. */
interface Arranged {
  readonly globals: string[];
  readonly path: string[];
  readonly rest: string[];
  /** The command that the words so far name. */
  command: Command;
  /** A word that names no command has come: those after it name none either. */
  hasOperand: boolean;
}

/** Arguments in the order that commander wants. */
export interface Arrangement {
  readonly words: readonly string[];
  /** The words that name the command. */
  readonly path: readonly string[];
}

/**
 * Arguments as kops takes them, in the order that commander wants. What comes after `--` is left alone.
 *
 * - Options that every command takes may stand anywhere; they are put first.
 * - The words that name the command are put before all options, so that `get -o json ig` is `get ig -o json`: an option
 *   belongs to the command that is run, and not to one above it that has an option of the same name.
 * - `--bastion=true` and `--bastion=false` are spelled `--bastion` and `--no-bastion`, for every switch there is.
 * - `help create cluster` is `create cluster --help`.
 *
 * @throws ActionableError for a word that is not a command, where only a command can stand
 */
export function arrange(argv: readonly string[], program: Command): Arrangement {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isHelp = argv[0] === 'help';
  const given = argv.slice(isHelp ? 1 : 0, end);
  const arranged: Arranged = { globals: [], path: [], rest: [], command: program, hasOperand: false };
  for (let index = 0; index < given.length; index++) {
    const word = given[index] ?? '';
    if (word.startsWith('-') && word !== '-') index += takeOption(arranged, word, given[index + 1], program);
    else takeWord(arranged, word);
  }
  const { globals, path, rest } = arranged;
  const words = [...globals, ...path, ...rest, ...(isHelp ? ['--help'] : []), ...argv.slice(end)];
  return { words, path };
}

/** Takes an option, and the word after it where that is its value. Returns how many of the words after it were taken. */
function takeOption({ globals, rest, command }: Arranged, word: string, next: string | undefined, program: Command) {
  const [, short = '', value] = /^(-\w)(\w+)$/.exec(word) ?? [];
  // As kops takes it: `-v8`. For options of the command itself, commander does that.
  if (value !== undefined && program.options.some((one) => one.short === short && one.required)) {
    globals.push(short, value);
    return 0;
  }
  const [, flag = word, attached] = /^(--?[^=]+)=([^]*)$/.exec(word) ?? [];
  const option = optionOf(command, flag) ?? optionOf(program, flag);
  const into = option !== undefined && program.options.includes(option) ? globals : rest;
  if (option?.required === true) {
    if (attached !== undefined) into.push(...(flag.startsWith('--') ? [word] : [flag, attached]));
    else if (next === undefined) rest.push(word);
    else into.push(word, next);
    return attached === undefined && next !== undefined ? 1 : 0;
  }
  if (option?.optional === true && attached === undefined) {
    // As in kops, a value is attached by `=`; a word after it that can be nothing but a duration is one too.
    const isValue = next !== undefined && /^\d+(\.\d+)?(h|m|s|ms)/.test(next);
    into.push(`${flag}=${isValue ? next : presetOf(option)}`);
    return isValue ? 1 : 0;
  }
  if (attached !== undefined && option?.isBoolean() === true && !option.negate) {
    into.push(...spelledSwitch(option, attached, command));
  } else into.push(word);
  return 0;
}

/** What an option that is given without a value means. */
const presetOf = ({ presetArg }: Option): string => (typeof presetArg === 'string' ? presetArg : '');

/** A switch with a value, as the switch or its opposite. A switch without an opposite is simply not given. */
function spelledSwitch({ long, short }: Option, value: string, command: Command): readonly string[] {
  const flag = long ?? short ?? '';
  switch (value.toLowerCase()) {
    case 'true':
      return [flag];
    case 'false': {
      const opposite = flag.replace(/^--/, '--no-');
      return optionOf(command, opposite) === undefined ? [] : [opposite];
    }
    default:
      throw usageError({
        what: `read ${flag}`,
        why: `it is a switch, and '${value}' is neither true nor false`,
        next: `write ${flag} or ${flag}=false`,
      });
  }
}

/** The option of a command, or of a command below it: it may stand before the words that name that command. */
function optionOf(command: Command, flag: string): Option | undefined {
  const own = command.options.find(({ long, short }) => long === flag || short === flag);
  if (own !== undefined) return own;
  for (const below of command.commands) {
    const found = optionOf(below, flag);
    if (found !== undefined) return found;
  }
  return undefined;
}

function takeWord(arranged: Arranged, word: string): void {
  const { command, path, rest, hasOperand } = arranged;
  const named = hasOperand ? undefined : findCommand(command, word);
  if (named !== undefined) {
    path.push(word);
    arranged.command = named;
    return;
  }
  if (!hasOperand) refuseUnknown(command, path, word);
  arranged.hasOperand = true;
  rest.push(word);
}

/** The command below another that has this name or alias. */
export const findCommand = (command: Command, name: string): Command | undefined =>
  command.commands.find((one) => one.name() === name || one.aliases().includes(name));

/** Only `get CLUSTER` takes an operand although it has commands below it, and the name of a cluster has a dot. */
function refuseUnknown({ commands, registeredArguments }: Command, path: readonly string[], word: string): void {
  if (commands.length === 0 || (registeredArguments.length > 0 && word.includes('.'))) return;
  const group = ['kopsctl', ...path].join(' ');
  const meant = nearestName(
    word,
    commands.flatMap((one) => [one.name(), ...one.aliases()]),
  );
  throw usageError({
    what: `run ${group} ${word}`,
    why: `there is no such command${meant === undefined ? '' : `; did you mean \`${group} ${meant}\`?`}`,
    next: `\`${group} --help\` lists the commands`,
  });
}
