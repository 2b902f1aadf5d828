import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { mirrorOfThisMachine } from './debian-packages.ts';
import { freePort } from './free-port.ts';
import type { S3Server } from './s3-server.ts';

const SCRIPT = fileURLToPath(new URL('testdata/radosgw.sh', import.meta.url));

/** Twelve seconds on an idle machine. */
const READY_WITHIN_MS = 120_000;

/**
 * Starts Ceph's object store (monitor, OSD in memory, radosgw) from Debian's development suite. Its libraries are newer
 * than those of this machine, so it has a root file system of its own, made once (40 s, 650 MB), and runs in a process
 * namespace of its own, so that stopping leaves no process behind.
 */
export async function startRadosgw(cacheFolder = '/var/cache/kopsctl/test-peers'): Promise<S3Server> {
  if (process.getuid?.() !== 0) throw unable('a root file system of its own needs root', 'run the tests as root');
  const root = await makeRoot(join(cacheFolder, 'ceph-sid'));
  const folder = `/run/ceph-${randomUUID()}`;
  const [monitorPort, s3Port] = [await freePort(), await freePort()];
  await copyFile(SCRIPT, join(root, 'radosgw.sh'));
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', `--root=${root}`, '--wd=/', '--mount-proc'];
  const command = ['bash', '/radosgw.sh', folder, String(monitorPort), String(s3Port)];
  const child = spawn('unshare', [...namespaces, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  const endpoint = `http://127.0.0.1:${s3Port}`;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(join(root, folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await waitUntilReady(child, endpoint);
    const { stdout } = await execa('dpkg-query', [`--admindir=${root}/var/lib/dpkg`, '-W', '-f=${Version}', 'radosgw']);
    return { name: 'Ceph radosgw', endpoint, version: stdout, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function makeRoot(root: string): Promise<string> {
  if (await exists(root)) return root;
  const { uri, keyring } = await mirrorOfThisMachine();
  const partial = `${root}.${randomUUID()}`;
  const options = ['--variant=apt', '--mode=root', '--include=radosgw,ceph-mon,ceph-osd,ceph-common'];
  // The Release file of a development suite expires within days; its signature is checked all the same.
  const apt = ['--aptopt=Acquire::Check-Valid-Until "false"', '--aptopt=APT::Install-Recommends "false"'];
  console.log(`making a root file system with Ceph in ${root} (once, about 650 MB)`);
  try {
    await mkdir(join(root, '..'), { recursive: true });
    await execa('mmdebstrap', [...options, ...apt, `--keyring=${keyring}`, 'sid', partial, uri]);
    await rename(partial, root);
  } catch (thrown) {
    await rm(partial, { recursive: true, force: true });
    if (codeOf(thrown) === 'ENOENT') throw unable('there is no mmdebstrap', 'apt-get install mmdebstrap');
    if (!(await exists(root))) throw thrown;
  }
  return root;
}

async function waitUntilReady(child: ChildProcess, endpoint: string): Promise<void> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
      if (text.includes('READY\n')) isReady = true;
    });
  }
  let isReady = false;
  child.on('error', (thrown) => {
    output += thrown.message;
  });
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`radosgw.sh ended with ${child.exitCode}:\n${output}`);
    if (performance.now() > giveUpAtMs)
      throw new Error(`radosgw did not answer within ${READY_WITHIN_MS / 1000} s:\n${output}`);
    if (
      isReady &&
      (await fetch(endpoint).then(
        (reply) => reply.ok,
        () => false,
      ))
    )
      return;
    await sleep(100);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}

function unable(why: string, next: string): ActionableError {
  return new ActionableError({ what: 'start radosgw', why, next });
}
