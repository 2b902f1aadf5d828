import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunningSince } from '@kopsctl/machine-facts/see-process.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { identityOf, type UnitRunner } from '@kopsctl/etcd-manager/units/unit-runner.ts';

/** The time after which SIGKILL follows, as in the systemd unit in production. */
const STOP_MS = 30_000;

/**
 * Writes the record of the process that it becomes. A manager that is killed at any moment leaves no etcd without a record,
 * and no torn one. The pid and the time of its beginning stay those of the shell.
 */
const RECORD_AND_RUN = [
  `printf '{"pid":%s,"startTime":"%s","identity":%s}' "$$" "$(cut -d' ' -f22 "/proc/$$/stat")" "$2" >"$1.$$"`,
  `mv "$1.$$" "$1"`,
  'exec "$3"',
].join(' && ');

/** The process of a unit, as recorded in `<unit>.json`. */
export interface Started {
  readonly pid: number;
  /** When the process began, from /proc. Process ids are reused. */
  readonly startTime: string;
  readonly identity: string;
}

/**
 * Runs each etcd as a process that outlives its manager, as under systemd. A manager that was killed finds the process
 * again through a file. Unlike under systemd, only the manager restarts it.
 */
export function detachedUnits(folder: string): UnitRunner {
  const file = (name: string): string => join(folder, `${name}.json`);
  const read = async (name: string): Promise<Started | undefined> => {
    const text = await readFile(file(name), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : parseStarted(text);
  };
  const stop = async (name: string): Promise<void> => {
    const started = await read(name);
    if (started === undefined || !(await isRunning(started))) return;
    process.kill(started.pid, 'SIGTERM');
    const deadline = performance.now() + STOP_MS;
    while (await isRunning(started)) {
      if (performance.now() > deadline) process.kill(started.pid, 'SIGKILL');
      await sleep(20);
    }
  };
  return {
    stop,
    isMachineEnding: () => Promise.resolve(false),
    async observe(name) {
      const started = await read(name);
      return started === undefined
        ? { isRunning: false }
        : { identity: started.identity, isRunning: await isRunning(started) };
    },
    async start(unit) {
      await mkdir(folder, { recursive: true });
      await stop(unit.name);
      const log = openSync(join(folder, `${unit.name}.log`), 'a');
      try {
        const env = { PATH: '/usr/bin:/bin', ...unit.lasting, ...unit.initial };
        const args = ['-c', RECORD_AND_RUN, 'sh', file(unit.name), JSON.stringify(identityOf(unit)), unit.binary];
        const child = spawn('/bin/sh', args, { env, detached: true, stdio: ['ignore', log, log] });
        await once(child, 'spawn');
        child.unref();
        while ((await read(unit.name))?.pid !== child.pid && child.exitCode === null) await sleep(5);
      } finally {
        closeSync(log);
      }
    },
  };
}

/** @throws when the text is not what `detachedUnits` writes */
export function parseStarted(text: string): Started {
  const { pid, startTime: began, identity } = asRecord(JSON.parse(text));
  if (typeof pid !== 'number' || typeof began !== 'string' || typeof identity !== 'string') {
    throw new Error(`not the record of a unit: ${text}`);
  }
  return { pid, startTime: began, identity };
}

export const isRunning = ({ pid, startTime }: Started): Promise<boolean> => isRunningSince(pid, startTime);
