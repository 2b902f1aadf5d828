import type { NamedThings } from '@kopsctl/actions/list-names.ts';
import type { Command } from 'commander';
import { readSettings } from '../settings-file.ts';
import { writeOut } from '../terminal.ts';
import { complete } from './complete.ts';

/** A person waits for the next key: a store that needs longer is not asked further. */
const STORE_TIMEOUT_MS = 2000;

/** Prints what may stand in the place of the last word: a word and what it is on each line, for the scripts of shells. */
export async function printCompletions(
  program: Command,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { candidates, wanted, field, cluster, state } = complete(program, words);
  const url = state ?? env['KOPS_STATE_STORE'] ?? (await readSettings(undefined, env)).state;
  const names = wanted === undefined || url === undefined ? [] : await storedNames(wanted, url, cluster, env);
  const [, prefix = '', typed = ''] = /^(--[^=]+=)?(.*)$/.exec(words.at(-1) ?? '') ?? [];
  const fitting = names
    .filter((name) => name.startsWith(typed))
    .map((name) => ({ word: `${prefix}${name}`, description: '' }));
  const fields = field === undefined ? [] : (await import('./complete-field.ts')).completeField(field, typed);
  const paths = fields.map(({ word, description }) => ({ word: `${prefix}${word}`, description }));
  for (const { word, description } of [...fitting, ...candidates, ...paths]) {
    const [line = ''] = description.split('\n');
    writeOut(line === '' ? `${word}\n` : `${word}\t${line}\n`);
  }
}

/** Names from the state store. None where it cannot be read: what is wrong with it, the command itself will say. */
async function storedNames(
  wanted: NamedThings,
  state: string,
  named: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const { listNames } = await import('@kopsctl/actions/list-names.ts');
  const name = named ?? env['KOPS_CLUSTER_NAME'];
  try {
    const signal = AbortSignal.timeout(STORE_TIMEOUT_MS);
    return await listNames({ state, env, ...(name !== undefined && { name }) }, wanted, signal);
  } catch {
    return [];
  }
}
