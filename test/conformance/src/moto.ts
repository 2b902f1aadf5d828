import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@kopsctl/test-peers/free-port.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { PYTHON_CACHE } from './python-cache.ts';
import type { S3Server } from './s3-server.ts';

/**
 * moto_server with only one S3 write at a time. The unmodified server compares and writes in two steps: on busy cores
 * several of eight concurrent creations succeed in about one race of sixty, and the state store's probe rightly refuses
 * it.
 *
 * Its CloudFormation imports the models of all services, of which API Gateway imports a checker of OpenAPI documents that
 * Debian builds only for a newer Python. Nothing here uses that.
 */
const PROGRAM = `
import functools, gc, json, logging, os, sys, threading, types

checker = types.ModuleType("openapi_spec_validator")
checker.validate_spec = checker.OpenAPIValidationError = None
sys.modules["openapi_spec_validator"] = checker
sys.modules["openapi_spec_validator.validation"] = checker
sys.modules["openapi_spec_validator.validation.exceptions"] = checker

from moto import server
from moto.iam import models as iam
from moto.moto_server.werkzeug_app import DomainDispatcherApplication
from moto.s3.responses import S3Response

# Each line for a request, and each search of the folder of services for its host, costs more than many a request itself.
logging.getLogger("werkzeug").setLevel(logging.ERROR)
DomainDispatcherApplication.get_backend_for_host = functools.cache(DomainDispatcherApplication.get_backend_for_host)

# After each reset it makes all 1,582 policies of AWS again, of which tests attach this one.
policy = "AdministratorAccess"
iam.aws_managed_policies_data = json.dumps({policy: json.loads(iam.aws_managed_policies_data)[policy]})

# The models of services are hundreds of thousands of objects that stay: with the usual thresholds a tenth of its time goes
# into looking at them again.
gc.freeze()
gc.set_threshold(100_000, 20, 100)

writing = threading.RLock()

def one_by_one(write):
    def waiting(*args, **kwargs):
        with writing:
            return write(*args, **kwargs)
    return waiting

for name in ("put_object", "delete_object", "_key_response_post"):
    setattr(S3Response, name, one_by_one(getattr(S3Response, name)))

def end_with_tests():
    sys.stdin.read()
    os._exit(0)

threading.Thread(target=end_with_tests, daemon=True).start()
sys.argv[0] = "moto_server"
server.main()
`;

/** The first start reads 127 MB of botocore's service data from a cold disk. */
const READY_WITHIN_MS = 60_000;

/** One URL for all services of AWS. */
export interface MotoServer extends S3Server {
  /** Deletes all resources. */
  reset(): Promise<void>;
  /** Turns the checks of signatures and IAM policies on or off. */
  checkAuthorization(isChecked: boolean): Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly endpoint: string;
}

/** Servers that one file of tests has given back, for the next one of its worker: each takes seconds of a processor to start. */
const idle: Running[] = [];

/**
 * A server of moto without resources, a third-party server of the AWS APIs. Returns undefined on a machine that cannot run it.
 *
 * @param options.managedPolicies whether it has a policy of IAM that AWS manages; it takes an id, which recordings do not
 */
export async function startMoto({ managedPolicies = true } = {}): Promise<MotoServer | undefined> {
  const peer = await findPeer('moto');
  if (peer === undefined) return undefined;
  // Ids that are drawn go on after a reset: recordings begin with a new server.
  const { child, endpoint } = (managedPolicies ? idle.pop() : undefined) ?? (await start(peer.root, managedPolicies));
  const ask = async (path: string, body = ''): Promise<void> => {
    await fetch(`${endpoint}/moto-api/${path}`, { method: 'POST', body });
  };
  // The body is the number of further requests that pass unchecked.
  const checkAuthorization = (isChecked: boolean) => ask('reset-auth', isChecked ? '0' : 'inf');
  return {
    name: 'moto',
    endpoint,
    version: peer.versions['python3-moto'] ?? 'unknown',
    reset: () => ask('reset'),
    checkAuthorization,
    stop: async () => {
      if (!managedPolicies) return stop(child);
      await checkAuthorization(false);
      await ask('reset');
      idle.push({ child, endpoint });
    },
  };
}

async function start(root: string, managedPolicies: boolean): Promise<Running> {
  const port = await freePort();
  // -O disables assertions: moto asserts a type of UserData that requests with launch template versions do not have,
  // and answers 500. It ends when its standard input does, at the latest with this process.
  const child = spawn('/usr/bin/python3', ['-O', '-c', PROGRAM, '-H', '127.0.0.1', '-p', String(port)], {
    env: {
      PATH: '/usr/bin:/bin',
      PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
      PYTHONPYCACHEPREFIX: PYTHON_CACHE,
      MOTO_IAM_LOAD_MANAGED_POLICIES: String(managedPolicies),
    },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(child, endpoint);
  } catch (thrown) {
    await stop(child);
    throw thrown;
  }
  // It does not keep a worker that has nothing to test any more.
  child.unref();
  for (const stream of [child.stdin, child.stderr]) if (stream instanceof Socket) stream.unref();
  return { child, endpoint };
}

async function waitUntilReady(child: ChildProcess, endpoint: string): Promise<void> {
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`moto_server exited with ${child.exitCode}:\n${complaint}`);
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
  // A process that has nothing else to do waits for its end.
  child.ref();
  child.kill('SIGKILL');
  await once(child, 'exit');
}
