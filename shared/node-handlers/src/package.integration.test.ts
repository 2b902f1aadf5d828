import { mkdir, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NodeEnv } from './node-env.ts';
import { packageHandler } from './package.ts';
import { temporaryHost, type TemporaryHost } from './testing/temporary-host.ts';
import { Together } from './together.ts';

const { signal } = new AbortController();
let host: TemporaryHost;
beforeEach(async () => {
  host = await temporaryHost();
});
afterEach(() => host.remove());

/** The packages that a host of this operating system looks for. */
async function lookedFor(name: string, osRelease: string): Promise<readonly string[]> {
  await mkdir(join(host.root, 'etc'), { recursive: true });
  await writeFile(join(host.root, 'etc/os-release'), osRelease);
  const asked: string[] = [];
  const packages = new Together<boolean>(async (names) => {
    asked.push(...names);
    return new Map(names.map((one) => [one, true]));
  });
  // Of its environment the handler uses these two here.
  const env = { root: host.root, packages } as NodeEnv;
  expect(await packageHandler.find(name, { name }, env, signal)).toEqual({ isInstalled: true });
  return asked;
}

const EXTRA = `kernel-modules-extra-${release()}`;

test.each([
  ['debian', 'ID=debian\nVERSION_ID="12"\n', ['iptables']],
  ['rocky', 'ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.6"\n', ['iptables']],
  ['rocky', 'ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="10.1"\n', ['iptables-nft', EXTRA]],
  ['fedora', 'ID=fedora\nVERSION_ID=44\n', ['iptables-nft', EXTRA]],
  ['amzn', 'ID="amzn"\nID_LIKE="fedora"\nVERSION_ID="2023"\nPLATFORM_ID="platform:al2023"\n', ['iptables-nft']],
])('what iptables is on %s (%j)', async (_id, osRelease, expected) => {
  expect(await lookedFor('iptables', osRelease)).toEqual(expected);
  expect(await lookedFor('socat', osRelease)).toEqual(['socat']);
});
