import type { TestCluster } from './cluster.ts';

/** Units whose restrictions must not be felt. kubelet and the runtime log refusals that they expect. */
const OURS = [
  'cni-iptables-setup',
  'etcd-events',
  'etcd-main',
  'etcd-manager',
  'metadata-guard',
  'node-authority',
  'nodeup',
  'protokube',
  'service-guard',
];

/** How programs and systemd name a refusal: by the kernel, by a filter of system calls, for lack of memory. */
const REFUSED =
  /operation not permitted|permission denied|read-only file system|\bE(PERM|ACCES|ROFS)\b|bad system call|code=dumped|oom-kill|unknown (key|lvalue)/i;

/** Ports of Kubernetes that would answer without credentials. */
const WITHOUT_CREDENTIALS = [10251, 10252, 10255];

/** What was refused to our units on any machine since its boot, by the line of the journal. */
export async function refusals(cluster: TestCluster): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name } of await cluster.machines()) {
    const units = OURS.flatMap((unit) => ['-u', `${unit}.service`]);
    const { stdout } = await cluster.on(name, 'journalctl', '-b', '--no-pager', '-o', 'short', ...units);
    if (!stdout.includes('protokube')) throw new Error(`the journal of ${name} says nothing of protokube`);
    found.push(...stdout.split('\n').filter((line) => REFUSED.test(line)));
  }
  return found;
}

/** The processes of our long-running units on a machine, by unit, with what the kernel says of their rights. */
export async function rights(
  cluster: TestCluster,
  machine: string,
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const found = new Map<string, Readonly<Record<string, string>>>();
  for (const unit of OURS) {
    const { stdout } = await cluster.on(machine, 'systemctl', 'show', '-p', 'MainPID', '--value', `${unit}.service`);
    if (!/^[1-9]/.test(stdout)) continue;
    const status = await cluster.on(machine, 'cat', `/proc/${stdout.trim()}/status`);
    found.set(unit, Object.fromEntries(status.stdout.split('\n').map((line) => line.split(/:\s*/, 2))));
  }
  return found;
}

/** Those of the ports without credentials that any machine serves. */
export async function openPorts(cluster: TestCluster): Promise<readonly string[]> {
  const open: string[] = [];
  for (const { name } of await cluster.machines()) {
    const { stdout } = await cluster.on(name, 'ss', '-Hltn');
    if (!stdout.includes(':10250')) throw new Error(`no kubelet serves on ${name}: ${stdout}`);
    open.push(
      ...WITHOUT_CREDENTIALS.filter((port) => new RegExp(`:${port}\\b`).test(stdout)).map((port) => `${name} ${port}`),
    );
  }
  return open;
}
