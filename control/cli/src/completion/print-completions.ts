import type { NamedThings } from '@kopsctl/actions/list-names.ts';
import type { Command } from 'commander';
import { readSettings } from '../flags/settings-file.ts';
import { writeOut } from '../output/terminal.ts';
import { complete, type Completion } from './complete.ts';
import { fittingNames } from './fitting-names.ts';

/** A person waits for the next key: a store that needs longer is not asked further. */
const STORE_TIMEOUT_MS = 2000;

const WORDS_ALONE = '--no-descriptions';

/**
 * Prints what may stand in the place of the last word: a word and what it is on each line, for the scripts of shells.
 *
 * @param buildProgram see program.ts
 * @param args the words after `--`, and before that `--no-descriptions` if the words alone are wanted
 */
export async function printCompletions(
  buildProgram: (first?: string) => Promise<Command>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const isBare = args[0] === WORDS_ALONE;
  const rest = isBare ? args.slice(1) : args;
  const words = rest[0] === '--' ? rest.slice(1) : rest;
  // The word that is completed may begin several commands, also where it is the whole name of one.
  const program = await buildProgram(words.length > 1 ? words[0] : undefined);
  const completion = complete(program, words);
  const { candidates, wanted, flagOfClouds, field } = completion;
  const names = [
    ...(wanted === undefined ? [] : await storedNames(wanted, completion, env)),
    ...(flagOfClouds === undefined
      ? []
      : (await import('@kopsctl/actions/list-flag-values.ts')).listFlagValues(flagOfClouds)),
  ];
  const [, prefix = '', typed = ''] = /^(--[^=]+=)?(.*)$/.exec(words.at(-1) ?? '') ?? [];
  const fitting = fittingNames(names, typed).map((name) => ({ word: `${prefix}${name}`, description: '' }));
  const fields = field === undefined ? [] : (await import('./complete-field.ts')).completeField(field, typed);
  const paths = fields.map(({ word, description }) => ({ word: `${prefix}${word}`, description }));
  for (const { word, description } of [...fitting, ...candidates, ...paths]) {
    const [line = ''] = description.split('\n');
    writeOut(line === '' || isBare ? `${word}\n` : `${word}\t${line}\n`);
  }
}

/** Names from the state store. None where it, or the settings that name it, cannot be read: the command itself will say why. */
async function storedNames(
  wanted: NamedThings,
  { cluster, state, config }: Completion,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const name = cluster ?? env['KOPS_CLUSTER_NAME'];
  try {
    const url = state ?? env['KOPS_STATE_STORE'] ?? (await readSettings(config, env)).state;
    if (url === undefined) return [];
    const { listNames } = await import('@kopsctl/actions/list-names.ts');
    const signal = AbortSignal.timeout(STORE_TIMEOUT_MS);
    return await listNames({ state: url, env, ...(name !== undefined && { name }) }, wanted, signal);
  } catch {
    return [];
  }
}
