import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, type UnitRunner } from '@kopsctl/etcd-manager/units/unit-runner.ts';

/** SIGKILL follows after this long, as in the systemd unit of production. */
const STOP_MS = 30_000;

interface Started {
  readonly pid: number;
  /** When that process began, from /proc: a pid is given out again. */
  readonly startTime: string;
  readonly identity: string;
}

/**
 * Runs each etcd as a process that outlives its manager, as systemd does: a manager that was killed finds it again by
 * a file. Nothing but the manager starts it again.
 */
export function detachedUnits(folder: string): UnitRunner {
  const file = (name: string): string => join(folder, `${name}.json`);
  const read = async (name: string): Promise<Started | undefined> => {
    const text = await readFile(file(name), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Started);
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
        const child = spawn(unit.binary, [], { env, detached: true, stdio: ['ignore', log, log] });
        await once(child, 'spawn');
        child.unref();
        const pid = child.pid ?? 0;
        const started: Started = { pid, startTime: (await startTime(pid)) ?? '', identity: identityOf(unit) };
        await writeFile(file(unit.name), JSON.stringify(started));
      } finally {
        closeSync(log);
      }
    },
  };
}

async function isRunning({ pid, startTime: began }: Started): Promise<boolean> {
  return (await startTime(pid)) === began;
}

/** proc(5), /proc/pid/stat: field 22; undefined of a process that is gone, or dead and not yet reaped. */
export async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19];
}
