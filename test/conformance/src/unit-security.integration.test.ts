import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import { printUnit } from '@kopsctl/etcd-manager/units/systemd-unit.ts';
import { filesOf } from '@kopsctl/model/testdata/planned-files.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';

const GOLDEN = new URL('testdata/unit-security.json', import.meta.url);
const UNITS = '/etc/systemd/system/';

/** How exposed a unit may be at most: 0 is not at all, 10 is a service of root that restricts nothing. */
const AT_MOST: Readonly<Record<string, number>> = {
  'etcd-main.service': 4,
  'etcd-manager.service': 4,
  'node-authority.service': 4,
  'protokube.service': 6,
};

/** Units that run containers have none of the restrictions that containers would inherit (runtime-containerd.ts). */
const MAY_TAKE_ALL_MEMORY = ['containerd.service', 'docker.service', 'kubelet.service'];

/** Machines of every kind that together have each unit of ours. */
const MACHINES = [
  filesOf('1.36.3', {}, 'local', 'Node'),
  filesOf('1.36.3', { networking: { flannel: { disableTxChecksumOffloading: true } }, ntp: { managed: true } }),
  filesOf('1.36.3', { networking: { amazonvpc: {} } }),
  filesOf('1.20.2', { containerRuntime: 'docker', networking: { kubenet: {} } }, 'local'),
];

function unitTexts(): ReadonlyMap<string, string> {
  const ofMachines = MACHINES.flatMap((files) =>
    [...files].flatMap(([path, text]) =>
      path.startsWith(UNITS) && path.endsWith('.service') ? [[path.slice(UNITS.length), text] as const] : [],
    ),
  );
  const etcd = printUnit(
    {
      name: 'etcd-main',
      binary: '/opt/etcd-v3.6.12/etcd',
      mountPoint: '/mnt/etcd-main',
      lasting: { ETCD_NAME: 'etcd-a' },
      initial: {},
    },
    '/run/kops/etcd-main.env',
  );
  return new Map([...ofMachines, ['etcd-main.service', etcd]]);
}

const units = unitTexts();
const systemd = await findPeer('systemd');

test('an agent and an etcd have a bound of memory, and nothing that runs containers has', () => {
  const unbound = [...units].filter(([, text]) => !text.includes('\nMemoryMax=')).map(([name]) => name);
  expect(unbound.toSorted()).toEqual(MAY_TAKE_ALL_MEMORY);
});

describe.skipIf(systemd === undefined)('systemd-analyze security', () => {
  const folder = mkdtemp(join(tmpdir(), 'unit-security-'));
  afterAll(async () => rm(await folder, { recursive: true }));

  /** The exposure of a unit, as Debian 12's systemd counts it. It prints what it does not understand, which fails the test. */
  async function exposureOf(name: string, text: string): Promise<number> {
    const path = join(await folder, name);
    await writeFile(path, text);
    const program = join(systemd?.root ?? '', 'usr/bin/systemd-analyze');
    const { stdout, stderr } = await execa(program, ['security', '--offline=true', '--no-pager', path], {
      env: { LD_LIBRARY_PATH: join(systemd?.root ?? '', 'usr/lib/x86_64-linux-gnu/systemd'), LC_ALL: 'C.UTF-8' },
    });
    if (stderr !== '') throw new Error(stderr);
    return Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
  }

  test('finds each unit as little exposed as it was', async () => {
    const found: Record<string, number> = {};
    for (const [name, text] of [...units].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      found[name] = await exposureOf(name, text);
    if (process.env['UPDATE'] === '1') await writeFile(GOLDEN, `${JSON.stringify(found, null, 2)}\n`);
    expect(found).toEqual(JSON.parse(await readFile(GOLDEN, 'utf8')));
    const above = Object.entries(found).filter(([name, exposure]) => !(exposure <= (AT_MOST[name] ?? 10)));
    expect(above).toEqual([]);
  });

  test('says so when a unit opens itself, or has a directive that nobody knows', async () => {
    const text = units.get('etcd-manager.service') ?? '';
    const opened = await exposureOf('etcd-manager.service', text.replace(/^CapabilityBoundingSet=$/m, ''));
    expect(opened).toBeGreaterThan(4);
    await expect(exposureOf('typo.service', text.replace('NoNewPrivileges', 'NoNewPrivilege'))).rejects.toThrow(
      'NoNewPrivilege',
    );
  });
});
