import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { OWN_RELEASE } from '@kopsctl/actions/cloud/agents-release.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeRelease } from './make-release.ts';
import { TARGETS } from './targets.ts';
import { NAME, storeCluster, toldOfAgents } from './testing/cluster-of-machines.ts';
import { serveByHttps } from './testing/https-folder.ts';

/** A whole release is made first. */
const TIMEOUT_MS = 20 * 60_000;

/** Installing a package in a root file system takes root. */
const isRoot = process.getuid?.() === 0;
const debian = isRoot ? await findPeer('debian-12') : undefined;
const arm64 = await findPeer('qemu-arm64');

/** What this computer runs, and in the long run the others: emulated code is slow. */
const [usual = [], others = []] = [true, false].map((isHere) =>
  TARGETS.filter(({ os, arch }) => (os === 'linux' && arch === 'amd64') === isHere),
);
const targets = casesOf(usual, others);

/** A cluster that is printed, and for which nothing else is needed. */
const DRY_RUN = 'create cluster demo.example.com --cloud aws --zones us-east-1a --dry-run -o yaml --state'.split(' ');

/** A release, as it is published: made once, then verified, installed and tried as a person does. */
describe('a release', { timeout: TIMEOUT_MS }, () => {
  let dir: string;
  let release: string;
  let names: readonly string[];

  const file = (pattern: RegExp): string => {
    const found = names.find((name) => pattern.test(name));
    if (found === undefined) throw new Error(`no ${pattern.source} among ${names.join(', ')}`);
    return path.join(release, found);
  };
  /** Runs what was installed, on its own: with nothing of this project on its path and in its environment. */
  const expectToWork = async (run: (argv: readonly string[]) => Promise<string>): Promise<void> => {
    expect(await run(['version'])).toMatch(/\d+\.\d+\.\d+/);
    const spec = await run([...DRY_RUN, `file://${path.join('/tmp', path.basename(dir), 'state')}`]);
    expect(spec).toContain('name: demo.example.com');
    expect(spec).toContain('kind: InstanceGroup');
  };
  const bare = { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/tmp' }, extendEnv: false } as const;

  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'kops-release-'));
    release = path.join(dir, 'release');
    const key = path.join(dir, 'release-key');
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    await makeRelease({ out: release, targets, key, log: () => undefined });
    names = await readdir(release);
  }, TIMEOUT_MS);
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('is verified by the kopsctl that it has', async () => {
    const asked = ['verify', release, '--key', path.join(dir, 'release-key.pub')];
    const { stdout } = await execa(file(/^kopsctl-linux-amd64$/), asked, bare);
    expect(stdout.split('\n').filter((line) => !line.endsWith(': verified'))).toEqual([]);
  });

  test('has an executable for amd64 that starts, and one of agents', async () => {
    await expectToWork(async (argv) => (await execa(file(/^kopsctl-linux-amd64$/), argv, bare)).stdout);
    const { stdout } = await execa(file(/^kops-agents-linux-amd64$/), ['nodeup', '--version'], bare);
    expect(stdout).toMatch(/^nodeup \d/);
  });

  test('gives machines the agents that are in it, from where it is published and from another place', async () => {
    const site = path.join(dir, 'site');
    await mkdir(site);
    await symlink(release, path.join(site, `v${OWN_RELEASE.version}`));
    const server = await serveByHttps(site, path.join(dir, 'ca.pem'));
    try {
      const state = path.join(dir, 'state-of-machines');
      const kopsctl = async (argv: readonly string[], own: Readonly<Record<string, string>> = {}): Promise<string> => {
        const env = { ...bare.env, KOPS_STATE_STORE: `file://${state}`, SSL_CERT_FILE: server.caFile, ...own };
        return (await execa(file(/^kopsctl-linux-amd64$/), argv, { env, extendEnv: false })).stdout;
      };
      await storeCluster(kopsctl, state);
      const agents = file(/^kops-agents-linux-amd64$/);
      const sha256 = await sha256OfFile(agents);
      for (const [from, own] of [
        [OWN_RELEASE.baseUrl, {}],
        [server.url, { KOPSCTL_BASE_URL: server.url }],
      ] as const) {
        await kopsctl(['update', 'cluster', NAME, '--yes'], own);
        const url = `${from}/v${OWN_RELEASE.version}/${path.basename(agents)}`;
        expect(await toldOfAgents(state)).toEqual({ urls: [url], sha256 });
      }
      expect(server.asked).toEqual([`/v${OWN_RELEASE.version}/SHA256SUMS`]);
    } finally {
      await server.stop();
    }
  });

  test.each(casesOf([], ['arm64']))('has executables for %s that start, one of them in a package', async () => {
    if (arm64 === undefined) throw new Error('qemu-arm64 was not provided');
    const emulator = path.join(arm64.root, 'usr/bin/qemu-aarch64-static');
    const libraries = path.join(arm64.root, 'usr/aarch64-linux-gnu');
    const run = async (program: string, argv: readonly string[]): Promise<string> =>
      (await execa(emulator, ['-L', libraries, program, ...argv], bare)).stdout;
    await expectToWork((argv) => run(file(/^kopsctl-linux-arm64$/), argv));
    expect(await run(file(/^kops-agents-linux-arm64$/), ['nodeup', '--version'])).toMatch(/^nodeup \d/);
    const [deb, unpacked] = [file(/_arm64\.deb$/), path.join(dir, 'arm64')];
    expect((await execa('dpkg-deb', ['--field', deb, 'Architecture'], bare)).stdout).toBe('arm64');
    await execa('dpkg-deb', ['--extract', deb, unpacked], bare);
    expect(await run(path.join(unpacked, 'usr/bin/kopsctl'), ['version'])).toMatch(/\d+\.\d+\.\d+/);
  });

  test.skipIf(debian === undefined)('has a package that a new Debian installs, with all that it needs', async () => {
    if (debian === undefined) return;
    const root = path.join(dir, 'debian');
    // The peer itself stays as it is, for the next run.
    await execa('cp', ['--archive', '--reflink=auto', debian.root, root]);
    await cp(file(/_amd64\.deb$/), path.join(root, 'kopsctl.deb'));
    const inside = async (...argv: readonly string[]): Promise<string> => {
      const own = ['--mount', '--pid', '--fork', `--mount-proc=${root}/proc`, 'chroot', root];
      return (await execa('unshare', [...own, ...argv], bare)).stdout;
    };
    await inside('dpkg', '--install', '/kopsctl.deb');
    await expectToWork((argv) => inside('kopsctl', ...argv));
    expect(await inside('sh', '-c', 'ls /usr/share/man/man1/kopsctl*')).toContain('kopsctl.1.gz');
    await inside('dpkg', '--remove', 'kopsctl');
    await expect(inside('kopsctl', 'version')).rejects.toThrow(/No such file/);
  });

  test('has an npm package that npx runs without a network', async () => {
    const [cache, project] = [path.join(dir, 'npm-cache'), path.join(dir, 'project')];
    await mkdir(project);
    const node = path.dirname(process.execPath);
    const env = { ...bare.env, PATH: `${node}:${bare.env.PATH}:${process.env['PATH'] ?? ''}`, npm_config_cache: cache };
    const run = async (argv: readonly string[]): Promise<string> => {
      const asked = ['--offline', '--yes', `--package=${file(/\.tgz$/)}`, 'kopsctl', ...argv];
      return (await execa('npx', asked, { cwd: project, env, extendEnv: false })).stdout;
    };
    expect(await run(['--version'])).toMatch(/^kopsctl \d/);
    await expectToWork(run);
  });
});
