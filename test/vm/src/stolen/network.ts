import type { TestCluster } from '../cluster.ts';
import { shell } from './disk.ts';

export interface Listener {
  readonly machine: string;
  readonly address: string;
  readonly program: string;
  readonly port: number;
}

/** The kernel gives ports from here on to any program that sends something, and they differ each time. */
const EPHEMERAL = 32_768;

/** What listens on a machine beyond its loopback interface, over UDP: `udp PROGRAM PORT`, by port. */
export async function hearers(
  cluster: TestCluster,
  machine: { readonly name: string; readonly address: string },
): Promise<readonly string[]> {
  const all = await listeners(cluster, machine, '-u');
  return all.filter(({ port }) => port < EPHEMERAL).map(({ program, port }) => `udp ${program} ${port}`);
}

/** What a machine serves beyond its loopback interface, over TCP unless another option of `ss` is given. */
export async function listeners(
  cluster: TestCluster,
  { name, address }: { readonly name: string; readonly address: string },
  protocol = '-t',
): Promise<readonly Listener[]> {
  const found = await shell(cluster, name, `ss -Hlnp ${protocol}`);
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

/** What the cluster serves under addresses of Services, each as `NAMESPACE/NAME`. */
export async function services(cluster: TestCluster): Promise<readonly Listener[]> {
  const { items } = JSON.parse(await cluster.kubectl('get', 'services', '-A', '-o', 'json')) as {
    readonly items: readonly {
      readonly metadata: { readonly namespace: string; readonly name: string };
      readonly spec: {
        readonly clusterIP: string;
        readonly ports: readonly { readonly port: number; readonly protocol: string }[];
      };
    }[];
  };
  return items
    .filter(({ spec }) => spec.clusterIP !== 'None')
    .flatMap(({ metadata: { namespace, name }, spec: { clusterIP, ports } }) => {
      const program = `${namespace}/${name}`;
      const byTcp = ports.filter(({ protocol }) => protocol === 'TCP');
      return byTcp.map(({ port }) => ({ machine: program, address: clusterIP, program, port }));
    })
    .toSorted((a, b) => `${a.program} ${a.port}`.localeCompare(`${b.program} ${b.port}`));
}

/** The paths that say something to a caller that gets in, by the program that serves them. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  kubelet: ['/pods', '/metrics', '/logs/', '/healthz'],
  'kube-apiserver': ['/api/v1/secrets', '/metrics', '/version'],
  'kube-controller': ['/metrics', '/healthz'],
  'kube-scheduler': ['/metrics', '/healthz'],
  'kube-proxy': ['/metrics', '/healthz'],
  etcd: ['/v2/keys', '/metrics', '/health', '/version'],
  'default/kubernetes': ['/api/v1/secrets', '/metrics', '/version'],
  'kube-system/kube-dns': ['/metrics'],
};

export interface Credentials {
  readonly cert: string;
  readonly key: string;
}

/**
 * What a machine is told by a port of another, one line for each path: over TLS with credentials and without any, and
 * without TLS: the status, or how the connection ended.
 */
export async function answersOf(
  cluster: TestCluster,
  from: string,
  to: Listener,
  credentials: Credentials,
): Promise<readonly string[]> {
  const ways = {
    'its credentials': `--cert ${credentials.cert} --key ${credentials.key} https`,
    nobody: 'https',
    'no TLS': 'http',
  };
  const paths = PATHS[to.program] ?? ['/'];
  // One shell for all questions.
  const questions = paths.flatMap((path) =>
    Object.values(ways).map(
      (way) => `curl -sk -m 5 -o /dev/null -w '%{http_code} ' ${way}://${to.address}:${to.port}${path}; echo $?`,
    ),
  );
  const answers = (await shell(cluster, from, questions.join('\n'))).split('\n').map((line) => {
    const [status = '', exitCode = ''] = line.split(' ');
    return verdict(Number(exitCode), status);
  });
  return paths.map((path, index) => {
    const told = Object.keys(ways).map((way, nth) => `as ${way}: ${answers[index * 3 + nth]}`);
    return `${to.program} ${to.port} ${path}: ${told.join(', ')}`;
  });
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
    // Which of them it is depends on who is faster.
    case 1:
    case 16:
    case 35:
    case 52:
    case 55:
    case 56:
      return 'hung up';
    default:
      return `curl ${exitCode}`;
  }
}
