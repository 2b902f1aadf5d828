import type { TestCluster } from '../cluster.ts';
import { shell } from './disk.ts';

export interface Listener {
  readonly machine: string;
  readonly address: string;
  readonly program: string;
  readonly port: number;
}

/** What a machine serves on more than its loopback, over TCP. */
export async function listeners(
  cluster: TestCluster,
  { name, address }: { readonly name: string; readonly address: string },
): Promise<readonly Listener[]> {
  const found = await shell(cluster, name, 'ss -Hltnp');
  const all = found.split('\n').flatMap((line) => {
    const [, , , local = '', , users = ''] = line.trim().split(/\s+/);
    const port = Number(local.slice(local.lastIndexOf(':') + 1));
    const program = /"([^"]+)"/.exec(users)?.[1] ?? 'unknown';
    const isOutside = !/^(127\.|\[::1\])/.test(local) && Number.isInteger(port) && port > 0;
    return isOutside ? [{ machine: name, address, program, port }] : [];
  });
  const byPort = new Map(all.map((one) => [one.port, one]));
  return [...byPort.values()].toSorted((a, b) => a.port - b.port);
}

/** The paths that say something to whoever gets in, by the program that serves them. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  kubelet: ['/pods', '/metrics', '/logs/', '/healthz'],
  'kube-apiserver': ['/api/v1/secrets', '/metrics', '/version'],
  'kube-controller': ['/metrics', '/healthz'],
  'kube-scheduler': ['/metrics', '/healthz'],
  'kube-proxy': ['/metrics', '/healthz'],
  etcd: ['/v2/keys', '/metrics', '/health', '/version'],
};

export interface Credentials {
  readonly cert: string;
  readonly key: string;
}

/**
 * What a machine is told by a port of another, one line for each path: over TLS with credentials and without any, and
 * without TLS. `cannot connect`, `refused in TLS` and the status are what curl says.
 */
export async function answersOf(
  cluster: TestCluster,
  from: string,
  to: Listener,
  credentials: Credentials,
): Promise<readonly string[]> {
  const told: string[] = [];
  for (const path of PATHS[to.program] ?? ['/']) {
    const ways = {
      'its credentials': ['https', '--cert', credentials.cert, '--key', credentials.key],
      nobody: ['https'],
      'no TLS': ['http'],
    } as const;
    const answers: string[] = [];
    for (const [way, [scheme, ...flags]] of Object.entries(ways)) {
      const url = `${scheme}://${to.address}:${to.port}${path}`;
      const { exitCode, stdout } = await cluster.on(
        from,
        'curl',
        '-sk',
        '-m5',
        '-o/dev/null',
        '-w%{http_code}',
        ...flags,
        url,
      );
      answers.push(`as ${way}: ${verdict(exitCode, stdout)}`);
    }
    told.push(`${to.program} ${to.port} ${path}: ${answers.join(', ')}`);
  }
  return told;
}

/** Exit codes as curl's manual names them. */
function verdict(exitCode: number, status: string): string {
  switch (exitCode) {
    case 0:
      return status;
    case 7:
      return 'cannot connect';
    case 28:
      return 'no answer';
    case 1:
    case 52:
    case 56:
    case 35:
    case 58:
      return 'hung up';
    default:
      return `curl ${exitCode}`;
  }
}
