import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@kopsctl/test-peers/free-port.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import type { GcsServer } from './gcs-server.ts';

const READY_WITHIN_MS = 30_000;

/**
 * Starts fake-gcs-server, a third-party server of the API of Cloud Storage, with one bucket. It holds uploads to their
 * preconditions. Undefined on a machine that cannot run it.
 */
export async function startFakeGcs(bucket: string): Promise<GcsServer | undefined> {
  const peer = await findPeer('fake-gcs-server');
  if (peer === undefined) return undefined;
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const args = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-backend', 'memory'];
  const child = spawn(join(peer.root, 'fake-gcs-server'), [...args, '-external-url', endpoint], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  const makeBucket = () =>
    fetch(`${endpoint}/storage/v1/b?project=test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: bucket }),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await makeBucket())) {
    if (performance.now() > giveUpAtMs || child.exitCode !== null) {
      await stop();
      throw new Error('fake-gcs-server does not make a bucket');
    }
    await sleep(50);
  }
  return { endpoint, stop };
}
