import { existsSync } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import type { NodeEnv } from './node-env.ts';
import { parseUnitProperties, type UnitProperties } from './unit-properties.ts';
import { Together } from './together.ts';

/** The state of a unit; `undefined` where systemd does not run. */
export interface ServiceState {
  readonly isEnabled: boolean;
  /** Absent where systemd does not run here (a dry run in a folder). */
  readonly systemd?: {
    readonly isRunning: boolean;
    readonly needsReload: boolean;
    /** Unix time; 0 while it never ran. */
    readonly startedMs: number;
  };
  /** When the newest of the files that require a restart changed. Unix time. */
  readonly newestFileMs: number;
}

const PROPERTIES = [
  'ActiveState',
  'UnitFileState',
  'NeedDaemonReload',
  'InactiveExitTimestampMonotonic',
  'Type',
  'ExecMainStatus',
  'ExecMainExitTimestampMonotonic',
  'Job',
];

/** systemd answers in milliseconds; during a boot it may take seconds. */
const ANSWER_MS = 30_000;

/** Asks systemd about units. Concurrent questions become one command. */
export function unitQuestions(): Together<UnitProperties> {
  return new Together(async (units) => {
    const args = ['show', ...units, `--property=${PROPERTIES.join(',')}`];
    const stdout = await runCommand(
      `ask systemd about ${units.join(', ')}`,
      'systemctl',
      args,
      AbortSignal.timeout(ANSWER_MS),
    );
    const shown = parseUnitProperties(stdout);
    return new Map(units.map((unit, index) => [unit, shown[index] ?? new Map()]));
  });
}

export async function findService(
  unit: string,
  watched: readonly string[],
  env: NodeEnv,
  signal: AbortSignal,
): Promise<ServiceState> {
  const newestFileMs = await newest(watched);
  if (env.root !== '/' || !existsSync('/run/systemd/system')) {
    return { isEnabled: await hasWantsLink(env.root, unit), newestFileMs };
  }
  const shown = await env.units.ask(unit, signal);
  if (shown === undefined) throw new Error(`systemd said nothing about ${unit}`);
  const value = (name: string) => shown.get(name) ?? '';
  // hrtime and systemd's "monotonic" are the same clock (CLOCK_MONOTONIC), in nanoseconds and microseconds.
  const bootedMs = Date.now() - Number(process.hrtime.bigint()) / 1e6;
  const startedMicros = Number(value('InactiveExitTimestampMonotonic'));
  const state = value('ActiveState');
  const isOneshotDone =
    value('Type') === 'oneshot' &&
    value('ExecMainStatus') === '0' &&
    Number(value('ExecMainExitTimestampMonotonic')) > 0;
  return {
    isEnabled: ['enabled', 'static', 'linked', 'generated', 'alias'].includes(value('UnitFileState')),
    newestFileMs,
    systemd: {
      isRunning: ['active', 'activating', 'reloading'].includes(state) || isOneshotDone || Number(value('Job')) > 0,
      // systemd reads a unit that it has not loaded when it starts it.
      needsReload: value('NeedDaemonReload') === 'yes',
      startedMs: startedMicros === 0 ? 0 : bootedMs + startedMicros / 1000,
    },
  };
}

async function newest(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0));
  return Math.max(0, ...times);
}

/** Links are not followed: they hold paths of the node, which lead nowhere below another root. */
async function hasWantsLink(root: string, unit: string): Promise<boolean> {
  const system = join(root, 'etc/systemd/system');
  const folders = (await readdir(system).catch(() => [])).filter((folder) => /\.(wants|requires)$/.test(folder));
  const links = await Promise.all(folders.map((folder) => lstat(join(system, folder, unit)).catch(() => undefined)));
  return links.some((link) => link !== undefined);
}
