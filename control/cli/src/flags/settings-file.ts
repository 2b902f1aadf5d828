import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { usageError } from './usage-error.ts';

/** What a person keeps for all commands. */
export interface Settings {
  /** The state store. */
  readonly state?: string;
}

/** Reads kops's file of settings: the one that is named, else ~/.kops.yaml or ~/.kops/config, where there is one. */
export async function readSettings(named: string | undefined, env: NodeJS.ProcessEnv): Promise<Settings> {
  if (named !== undefined) return settingsOf(named, await readNamed(named));
  const home = env['HOME'] ?? homedir();
  for (const file of [join(home, '.kops.yaml'), join(home, '.kops', 'config')]) {
    const text = await readWhereThere(file);
    if (text !== undefined) return settingsOf(file, text);
  }
  return {};
}

/** The names of settings are kops's, in any case. Others of kops's are of no use here. */
async function settingsOf(file: string, text: string): Promise<Settings> {
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw unreadable(file, messageOf(error), error);
  }
  if (content === null || content === undefined) return {};
  if (!isRecord(content)) throw unreadable(file, 'it is not a mapping of settings');
  const entries = Object.entries(content).map(([name, value]): [string, unknown] => [name.toLowerCase(), value]);
  const state = new Map(entries).get('kops_state_store');
  if (state === undefined || state === null) return {};
  if (typeof state !== 'string') throw unreadable(file, 'kops_state_store is not a string');
  return { state };
}

async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, messageOf(error), error);
  }
}

async function readWhereThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw unreadable(file, messageOf(error), error);
  }
}

const unreadable = (file: string, why: string, cause?: unknown) =>
  usageError({
    what: `read the settings in ${file}`,
    why,
    next: 'fix or move that file, name another one with --config, or give --state',
    cause,
  });
