import type { Command } from 'commander';

/**
 * Arguments as kops takes them, in the order that commander wants. What comes after `--` is left alone.
 *
 * - Options that every command takes may stand anywhere; they are put first. All others belong to the command they
 *   follow, so that `delete -f` and `delete secret`, say, may have options of one name.
 * - `--bastion=true` and `--bastion=false` are spelled `--bastion` and `--no-bastion`, for every switch there is.
 */
export function arrange(argv: readonly string[], program: Command): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const globals = new Set(program.options.filter(({ required }) => required).map(({ long }) => long));
  const switches = new Set(switchesOf(program));
  const [first, rest]: [string[], string[]] = [[], []];
  for (let index = 0; index < end; index++) {
    const word = argv[index] ?? '';
    const value = argv[index + 1];
    if (globals.has(word) && value !== undefined && index + 1 < end) {
      first.push(word, value);
      index++;
    } else if (globals.has(/^(--[^=]+)=/.exec(word)?.[1])) first.push(word);
    else rest.push(spelled(word, switches));
  }
  return [...first, ...rest, ...argv.slice(end)];
}

function spelled(word: string, switches: ReadonlySet<string>): string {
  const [, flag, value] = /^--([a-z0-9-]+)=(true|false)$/i.exec(word) ?? [];
  if (flag === undefined || value === undefined || !switches.has(flag)) return word;
  return value.toLowerCase() === 'true' ? `--${flag}` : `--no-${flag}`;
}

function switchesOf(command: Command): string[] {
  const own = command.options
    .filter((option) => option.isBoolean() && !option.negate)
    .flatMap(({ long }) => (long === undefined || long === null ? [] : [long.slice(2)]));
  return [...own, ...command.commands.flatMap(switchesOf)];
}
