import type { Command } from 'commander';

/**
 * kops takes `--bastion=true` and `--bastion=false`; commander knows `--bastion` and `--no-bastion`. Spells the one as
 * the other, for every switch of the command tree. What comes after `--` is left alone.
 */
export function spellBooleans(argv: readonly string[], program: Command): string[] {
  const switches = new Set(switchesOf(program));
  const end = argv.indexOf('--');
  return argv.map((word, index) => {
    if (end >= 0 && index > end) return word;
    const [, flag, value] = /^--([a-z0-9-]+)=(true|false)$/i.exec(word) ?? [];
    if (flag === undefined || value === undefined || !switches.has(flag)) return word;
    return value.toLowerCase() === 'true' ? `--${flag}` : `--no-${flag}`;
  });
}

function switchesOf(command: Command): string[] {
  const own = command.options
    .filter((option) => option.isBoolean() && !option.negate)
    .flatMap(({ long }) => (long === undefined || long === null ? [] : [long.slice(2)]));
  return [...own, ...command.commands.flatMap(switchesOf)];
}
