import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { identityIn, printEnvironment, printUnit, survivesKill } from './systemd-unit.ts';
import { identityOf, type UnitRunner } from './unit-runner.ts';

/** Where this machine's systemd finds units, and how it is asked. */
export interface SystemdHost {
  /** Runtime units: a reboot removes them, and after it the volume has to be mounted first anyway. */
  readonly units: string;
  readonly environments: string;
  readonly systemctl: string;
}

const THIS_HOST: SystemdHost = { units: '/run/systemd/system', environments: '/run/kops', systemctl: 'systemctl' };

/**
 * From SIGTERM on etcd takes no requests. It answers the requests that it has, and then waits for seven seconds for the watches of its
 * API server, which do not end (embed/etcd.go, Close), and which have no etcd meanwhile. What was acknowledged is in its log
 * on the disk, so a restart loses nothing by SIGKILL.
 */
const RESTARTS_WITHIN_MS = 2_000;

/** Runs each etcd as a systemd unit of its own, so that it never stops together with etcd-manager. */
export function systemdUnits({ units, environments, systemctl }: SystemdHost = THIS_HOST): UnitRunner {
  const file = (name: string): string => join(units, `${name}.service`);
  /** Holds the identity with which etcd was started: its unit file has the next one before etcd is restarted. */
  const started = (name: string): string => join(environments, `${name}.started`);
  const observe = async (name: string) => {
    const identity = (await ifThere(readFile(started(name), 'utf8'))) ?? (await identityOfFile(file(name)));
    const { stdout } = await execa(systemctl, ['is-active', `${name}.service`], { reject: false });
    // `activating` is the second between an exit of etcd and its restart by systemd, and `deactivating` the begin of a restart.
    const isRunning = ['active', 'activating', 'reloading', 'deactivating'].includes(stdout.trim());
    return { ...(identity !== undefined && { identity }), isRunning };
  };
  const restart = async (name: string, mayKill: boolean): Promise<void> => {
    if (!mayKill) {
      await execa(systemctl, ['restart', '--no-block', `${name}.service`]);
      return;
    }
    const within = { timeout: RESTARTS_WITHIN_MS, reject: false } as const;
    const restarted = await execa(systemctl, ['restart', `${name}.service`], within);
    if (restarted.timedOut) await execa(systemctl, ['kill', '--signal=SIGKILL', `${name}.service`]);
    else if (restarted.failed) throw restarted;
  };
  return {
    observe,
    async start(unit) {
      const { isRunning, identity } = await observe(unit.name);
      const former = await ifThere(readFile(file(unit.name), 'utf8'));
      await mkdir(units, { recursive: true });
      await mkdir(environments, { recursive: true, mode: 0o755 });
      if (identity !== undefined) await replaceFile(started(unit.name), identity, { mode: 0o644 });
      const environment = join(environments, `${unit.name}.env`);
      await replaceFile(environment, printEnvironment(unit), { mode: 0o600 });
      await replaceFile(file(unit.name), printUnit(unit, environment), { mode: 0o644 });
      await execa(systemctl, ['daemon-reload']);
      await restart(unit.name, isRunning && former !== undefined && survivesKill(former));
      await replaceFile(started(unit.name), identityOf(unit), { mode: 0o644 });
    },
    async stop(name) {
      if ((await identityOfFile(file(name))) === undefined) return;
      await execa(systemctl, ['stop', `${name}.service`]);
    },
    async isMachineEnding() {
      // Its exit code is that of a system that does not run as it should.
      const { stdout } = await execa(systemctl, ['is-system-running'], { reject: false });
      return stdout.trim() === 'stopping';
    },
  };
}

async function identityOfFile(path: string): Promise<string | undefined> {
  const text = await ifThere(readFile(path, 'utf8'));
  return text === undefined ? undefined : identityIn(text);
}
