import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@kopsctl/test-peers/free-port.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import type { S3Server } from './s3-server.ts';

const SCRIPT = fileURLToPath(new URL('testdata/radosgw.sh', import.meta.url));

/** It takes twelve seconds on an idle machine. */
const READY_WITHIN_MS = 120_000;

/**
 * Starts Ceph's object store (monitor, OSD in memory, radosgw) in its own root file system and process namespace, so that
 * no process remains after it stops. Returns undefined on a machine that cannot run it.
 */
export async function startRadosgw(): Promise<S3Server | undefined> {
  const peer = process.getuid?.() === 0 ? await findPeer('radosgw') : undefined;
  if (peer === undefined) return undefined;
  const { root, versions } = peer;
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
    return { name: 'Ceph radosgw', endpoint, version: versions['radosgw'] ?? 'unknown', stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
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
    if (child.exitCode !== null) throw new Error(`radosgw.sh exited with ${child.exitCode}:\n${output}`);
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
