import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unpackDebianPackages } from './debian-packages.ts';
import { freePort } from './free-port.ts';
import type { S3Server } from './s3-server.ts';

/** moto_server and what it imports; jsonpath-ng and ply are for EventBridge. */
const PACKAGES = `
  moto boto3 botocore s3transfer jmespath dateutil six flask werkzeug jinja2 markupsafe itsdangerous click blinker
  requests urllib3 idna certifi chardet charset-normalizer responses xmltodict antlr4 flask-cors yaml jsonpath-ng ply
`
  .trim()
  .split(/\s+/)
  .map((name) => `python3-${name}`);

/**
 * moto_server, with one write to S3 at a time: as it comes it compares and writes in two steps, and on busy cores several
 * of eight creations at once succeed in about one race of sixty, which the probe of the state store rightly refuses.
 */
const PROGRAM = `
import sys, threading
from moto import server
from moto.s3.responses import S3Response

writing = threading.RLock()

def one_by_one(write):
    def waiting(*args, **kwargs):
        with writing:
            return write(*args, **kwargs)
    return waiting

for name in ("put_object", "delete_object", "_key_response_post"):
    setattr(S3Response, name, one_by_one(getattr(S3Response, name)))

sys.argv[0] = "moto_server"
server.main()
`;

/** A first start reads botocore's 127 MB of service data from a cold disk. */
const READY_WITHIN_MS = 60_000;

/** One address serves all services of AWS. */
export interface MotoServer extends S3Server {
  /** Forgets everything that was made. */
  reset(): Promise<void>;
  /** From now on signatures and IAM policies are checked, or no longer. */
  checkAuthorization(isChecked: boolean): Promise<void>;
}

/** Starts moto, a server of the AWS APIs that was not written by us, from Debian's development suite. */
export async function startMoto(cacheFolder = '/var/cache/kopsctl/test-peers'): Promise<MotoServer> {
  const { root, versions } = await unpackDebianPackages({ suite: 'sid', packages: PACKAGES, cacheFolder });
  const port = await freePort();
  // -O: moto asserts a type of UserData that requests with launch template versions do not have, and answers 500.
  const child = spawn('/usr/bin/python3', ['-O', '-c', PROGRAM, '-H', '127.0.0.1', '-p', String(port)], {
    env: {
      PATH: '/usr/bin:/bin',
      PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
      PYTHONDONTWRITEBYTECODE: '1',
      MOTO_IAM_LOAD_MANAGED_POLICIES: 'true',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(child, endpoint);
  } catch (thrown) {
    await stop(child);
    throw thrown;
  }
  return {
    name: 'moto',
    endpoint,
    version: versions['python3-moto'] ?? 'unknown',
    reset: async () => {
      await fetch(`${endpoint}/moto-api/reset`, { method: 'POST' });
    },
    checkAuthorization: async (isChecked) => {
      // The body is how many more requests pass unchecked.
      await fetch(`${endpoint}/moto-api/reset-auth`, { method: 'POST', body: isChecked ? '0' : 'inf' });
    },
    stop: () => stop(child),
  };
}

async function waitUntilReady(child: ChildProcess, endpoint: string): Promise<void> {
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`moto_server ended with ${child.exitCode}:\n${complaint}`);
    if (performance.now() > giveUpAtMs)
      throw new Error(`moto_server did not answer within ${READY_WITHIN_MS / 1000} s:\n${complaint}`);
    const isReady = await fetch(`${endpoint}/moto-api/`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
