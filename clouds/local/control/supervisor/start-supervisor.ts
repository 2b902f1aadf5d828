import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { seeProcess } from '@kopsctl/machine-facts/see-process.ts';
import type { ClusterPaths } from '../records/cluster-paths.ts';
import { writeJsonFile } from '../records/json-file.ts';
import { socketRequest } from './socket-request.ts';

/** The exit status of `flock` if another supervisor holds the lock. */
const EXIT_LOCKED = 75;
const OTHER_READY_WITHIN_MS = 10_000;

/**
 * Starts the supervisor of a cluster in namespaces of its own and waits until it responds. It outlives this process.
 * When the process started here ends, the kernel kills PID 1 of the namespaces, and with it every process of the
 * cluster.
 *
 * @param hostPort listens on the host; the supervisor inherits it and accepts connections on it
 */
export async function startSupervisor(
  paths: ClusterPaths,
  command: readonly string[],
  hostPort: Server,
): Promise<void> {
  const log = openSync(paths.log, 'a', 0o600);
  const child = spawn('flock', supervisorArgs(paths.lock, command), {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    const ready = new Promise<'ready'>((resolve) => child.once('message', () => resolve('ready')));
    await handOver(child, paths, hostPort);
    const result = await Promise.race([ready, ended]);
    if (result === EXIT_LOCKED) await otherSupervisorReady(paths);
    else if (result !== 'ready') throw failedToStart(paths, `it ended with status ${result}`);
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
    hostPort.close();
  }
}

function supervisorArgs(lock: string, command: readonly string[]): readonly string[] {
  const locked = ['--no-fork', '--nonblock', '--conflict-exit-code', String(EXIT_LOCKED), lock];
  const namespaces = ['--mount', '--net', '--pid', '--ipc', '--uts', '--propagation', 'private', '--mount-proc'];
  // PID 1 must reap orphaned processes; catatonit does, Node.js does not.
  return [...locked, 'unshare', ...namespaces, '--fork', '--kill-child=SIGKILL', 'catatonit', '--', ...command];
}

/** The holder is recorded before the supervisor does anything: the supervisor waits for the socket. */
async function handOver(child: ChildProcess, paths: ClusterPaths, hostPort: Server): Promise<void> {
  if (child.pid === undefined) return;
  const seen = await seeProcess(child.pid);
  if (seen.state !== 'runs') return;
  await writeJsonFile(paths.holder, { pid: child.pid, startTime: seen.startTime });
  // If the child has ended, its exit status tells, which is awaited next.
  await new Promise<void>((resolve) => child.send('listen', hostPort, {}, () => resolve()));
}

async function otherSupervisorReady(paths: ClusterPaths): Promise<void> {
  const deadline = Date.now() + OTHER_READY_WITHIN_MS;
  for (;;) {
    try {
      await socketRequest(paths.socket, 'GET', '/v1/state');
      return;
    } catch (error) {
      if (Date.now() > deadline)
        throw failedToStart(paths, `another supervisor holds ${paths.lock} and does not respond: ${messageOf(error)}`);
      await sleep(50);
    }
  }
}

function failedToStart(paths: ClusterPaths, why: string): ActionableError {
  const said = readFileSync(paths.log, 'utf8').trim().split('\n').slice(-5).join('\n');
  return new ActionableError({
    what: 'start the supervisor of the local machines',
    why: `${why}; its last output:\n${said}`,
    next: `look at ${paths.log}; \`kopsctl toolbox gc\` removes what a crash left`,
  });
}

/** Listens on the loopback address of the host; port 0 selects any free port. */
export async function listenOnHost(port: number): Promise<Server> {
  // Connections that arrive before the supervisor takes over are not read, and are closed with this server.
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new ActionableError({
          what: 'open the port of the Kubernetes API on this host',
          why: messageOf(cause),
          next: `end the program that uses port ${port} of 127.0.0.1 (\`ss -ltnp\` names it), then apply again`,
          cause,
        }),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the socket does not listen on a port');
  return address.port;
}
