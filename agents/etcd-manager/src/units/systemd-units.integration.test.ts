import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemdUnits } from './systemd-units.ts';
import { type EtcdUnit, identityOf } from './unit-runner.ts';

const unitOf = (version: string): EtcdUnit => ({
  name: 'etcd-main',
  binary: `/opt/etcd-v${version}/etcd`,
  mountPoint: '/mnt/main',
  lasting: { ETCD_NAME: 'etcd-a' },
  initial: {},
});
const [before, after] = [unitOf('3.5.21'), unitOf('3.6.6')];

/** A systemctl that fails at one verb, if a file names it. */
const SYSTEMCTL = `#!/bin/sh
[ "$1" != "$(cat "$0.fails")" ] || { echo 'Connection timed out' >&2; exit 1; }
[ "$1" != is-active ] || echo active
`;

test('etcd has new settings only once it was restarted with them', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'kopsctl-systemd-units-'));
  try {
    const systemctl = join(dir, 'systemctl');
    const failAt = (verb: string) => writeFile(`${systemctl}.fails`, verb);
    await writeFile(systemctl, SYSTEMCTL, { mode: 0o755 });
    const runner = systemdUnits({ units: join(dir, 'units'), environments: join(dir, 'kops'), systemctl });
    await failAt('');
    await runner.start(before);
    expect(await runner.observe('etcd-main')).toEqual({ identity: identityOf(before), isRunning: true });
    for (const verb of ['daemon-reload', 'restart']) {
      await failAt(verb);
      await expect(runner.start(after)).rejects.toThrow('Connection timed out');
      expect(await runner.observe('etcd-main')).toEqual({ identity: identityOf(before), isRunning: true });
    }
    await failAt('');
    await runner.start(after);
    expect(await runner.observe('etcd-main')).toEqual({ identity: identityOf(after), isRunning: true });
    // An etcd that an older etcd-manager started.
    await rm(join(dir, 'kops/etcd-main.started'));
    expect(await runner.observe('etcd-main')).toEqual({ identity: identityOf(after), isRunning: true });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
