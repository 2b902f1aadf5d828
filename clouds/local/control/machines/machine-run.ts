import type { Log } from '@kopsctl/agent/log.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type ConsoleLog, openConsoleLog } from './console-log.ts';
import type { MachineDriver, MachineExit, MachineStart, RunningMachine } from './machine-driver.ts';

export interface RunEnv {
  readonly driver: MachineDriver;
  /** Completes every start, including reboots. */
  readonly onStarted: (running: RunningMachine) => Promise<void>;
  /** Called after every change of state. */
  readonly onChange: () => void;
  /** Frees, one after the other, what the machine held once it is down; not called for a reboot. */
  readonly releases: readonly (() => Promise<void>)[];
  readonly log: Log;
}

/** One run of a machine, from power-on to power-off, including reboots. */
export class MachineRun {
  /** Resolves when the machine runs for the first time; rejects if it cannot. */
  readonly up: Promise<void>;
  /** Resolves when it is down and its kernel resources are free. */
  readonly down: Promise<void>;
  isStopping = false;
  boots = 0;
  /** Absent before the first start and after the last. */
  running: RunningMachine | undefined;
  /** How it ended. */
  exit: MachineExit | undefined;

  constructor(start: MachineStart, env: RunEnv) {
    const up = Promise.withResolvers<void>();
    // A caller that starts a machine handles this rejection; a resumed machine has no caller.
    up.promise.catch(() => undefined);
    this.up = up.promise;
    this.down = this.#live(start, env, up);
  }

  get state(): 'starting' | 'running' | 'stopping' | 'stopped' {
    if (this.exit !== undefined) return 'stopped';
    if (this.running === undefined) return 'starting';
    return this.isStopping ? 'stopping' : 'running';
  }

  async #live(start: MachineStart, env: RunEnv, up: PromiseWithResolvers<void>): Promise<void> {
    const log = env.log.about(`machine ${start.record.name}`);
    let console: ConsoleLog | undefined;
    let exit: MachineExit = { kind: 'reboot' };
    try {
      console = openConsoleLog(start.paths.console);
      while (exit.kind === 'reboot') {
        this.running = await env.driver.start(start, (chunk) => console?.write(chunk));
        await env.onStarted(this.running);
        this.boots += 1;
        env.onChange();
        up.resolve();
        exit = await this.running.exited;
        log.info('went down', { how: describeExit(exit) });
      }
    } catch (error) {
      this.running?.kill();
      await this.running?.exited;
      exit = { kind: 'failure', why: messageOf(error) };
      log.error('cannot run', { error });
      up.reject(error);
    }
    console?.close();
    this.running = undefined;
    this.exit = exit;
    env.onChange();
    for (const release of env.releases) {
      try {
        await release();
      } catch (error) {
        log.error('not cleaned up', { error });
      }
    }
    env.onChange();
  }
}

export function describeExit(exit: MachineExit): string {
  if (exit.kind === 'failure') return exit.why;
  return exit.kind === 'reboot' ? 'rebooting' : 'powered off';
}
