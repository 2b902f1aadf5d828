import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { identityIn, printEnvironment, printUnit, survivesKill } from './systemd-unit.ts';
import type { UnitRunner } from './unit-runner.ts';

/** Runtime units: a reboot removes them, and after it the volume has to be mounted first anyway. */
const UNITS = '/run/systemd/system';
const ENVIRONMENTS = '/run/kops';

/**
 * From SIGTERM on etcd takes no requests. It answers those that it has, and then waits for seven seconds for the watches of its
 * API server, which do not end (embed/etcd.go, Close), and which have no etcd meanwhile. What was acknowledged is in its log
 * on the disk, so a restart loses nothing by SIGKILL.
 */
const RESTARTS_WITHIN_MS = 2_000;

/** Runs each etcd as a systemd unit of its own, so that it never stops together with etcd-manager. */
export function systemdUnits(): UnitRunner {
  const file = (name: string): string => join(UNITS, `${name}.service`);
  const observe = async (name: string) => {
    const identity = await identityOfFile(file(name));
    const { stdout } = await execa('systemctl', ['is-active', `${name}.service`], { reject: false });
    // `activating` is the second between an exit of etcd and its restart by systemd, and `deactivating` the begin of a restart.
    const isRunning = ['active', 'activating', 'reloading', 'deactivating'].includes(stdout.trim());
    return { ...(identity !== undefined && { identity }), isRunning };
  };
  return {
    observe,
    async start(unit) {
      const { isRunning } = await observe(unit.name);
      const former = await ifThere(readFile(file(unit.name), 'utf8'));
      await mkdir(UNITS, { recursive: true });
      await mkdir(ENVIRONMENTS, { recursive: true, mode: 0o755 });
      const environment = join(ENVIRONMENTS, `${unit.name}.env`);
      await replaceFile(environment, printEnvironment(unit), { mode: 0o600 });
      await replaceFile(file(unit.name), printUnit(unit, environment), { mode: 0o644 });
      await execa('systemctl', ['daemon-reload']);
      if (!isRunning || former === undefined || !survivesKill(former)) {
        await execa('systemctl', ['restart', '--no-block', `${unit.name}.service`]);
        return;
      }
      const restart = { timeout: RESTARTS_WITHIN_MS, reject: false } as const;
      const restarted = await execa('systemctl', ['restart', `${unit.name}.service`], restart);
      if (restarted.timedOut) await execa('systemctl', ['kill', '--signal=SIGKILL', `${unit.name}.service`]);
      else if (restarted.failed) throw restarted;
    },
    async stop(name) {
      if ((await identityOfFile(file(name))) === undefined) return;
      await execa('systemctl', ['stop', `${name}.service`]);
    },
    async isMachineEnding() {
      // Its exit code is that of a system that does not run as it should.
      const { stdout } = await execa('systemctl', ['is-system-running'], { reject: false });
      return stdout.trim() === 'stopping';
    },
  };
}

async function identityOfFile(path: string): Promise<string | undefined> {
  const text = await ifThere(readFile(path, 'utf8'));
  return text === undefined ? undefined : identityIn(text);
}
