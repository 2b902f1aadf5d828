import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { identityOf, type EtcdUnit, type UnitRunner } from '../unit-runner.ts';

/** Runs each etcd as a child process, where there is no systemd. Only the manager restarts it. */
export interface ChildUnits extends UnitRunner {
  /** Sends the signal, by default SIGTERM, and waits until the process has exited. */
  stop(name: string, signal?: NodeJS.Signals): Promise<void>;
  /** What `isMachineEnding` says. */
  machineEnds: boolean;
}

/** @param logPath the file to which the output of a unit is appended */
export function childUnits(logPath: (name: string) => string): ChildUnits {
  const running = new Map<string, { readonly child: ChildProcess; readonly identity: string }>();
  const stop = async (name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const child = running.get(name)?.child;
    if (child === undefined || !isRunning(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    stop,
    machineEnds: false,
    async isMachineEnding() {
      return this.machineEnds;
    },
    observe: (name) => {
      const found = running.get(name);
      return Promise.resolve(
        found === undefined ? { isRunning: false } : { identity: found.identity, isRunning: isRunning(found.child) },
      );
    },
    async start(unit: EtcdUnit) {
      await stop(unit.name);
      const log = openSync(logPath(unit.name), 'a');
      try {
        const child = spawn(unit.binary, [], {
          env: { PATH: '/usr/bin:/bin', ...unit.lasting, ...unit.initial },
          stdio: ['ignore', log, log],
        });
        await once(child, 'spawn');
        running.set(unit.name, { child, identity: identityOf(unit) });
      } finally {
        closeSync(log);
      }
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
