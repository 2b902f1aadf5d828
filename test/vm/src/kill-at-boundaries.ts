import type { TestCluster } from './cluster.ts';

/** Folders of a worker in which nothing but its node plan writes. */
const PLANNED = [
  '/etc/containerd',
  '/etc/sysconfig',
  '/etc/kops/manifests',
  '/etc/modules-load.d/kops.conf',
  '/opt/cni',
  '/opt/kops/bin/cni-iptables-setup',
  '/srv/kubernetes',
  '/usr/local/bin',
  '/usr/local/sbin/runc',
];
const UNITS = ['kubelet.service', 'containerd.service', 'protokube.service', 'cni-iptables-setup.service'];

const shell = (cluster: TestCluster, machine: string, script: string) => cluster.on(machine, '/bin/sh', '-ec', script);

/** Path, mode and content of every file the plan writes, a line each. */
export async function plannedFiles(cluster: TestCluster, machine: string): Promise<readonly string[]> {
  const places = [...PLANNED, ...UNITS.map((unit) => `/etc/systemd/system/${unit}`)].join(' ');
  const listed = await shell(
    cluster,
    machine,
    `find ${places} \\( -type f -printf '%p %m ' -exec sh -c 'sha256sum < "$1"' _ {} \\; \\) -o -type l -printf '%p -> %l\\n'`,
  );
  return listed.stdout.split('\n').toSorted();
}

/** Takes away all that nodeup has made, but for the agents' binary and what the user-data wrote. */
export async function undoNodeup(cluster: TestCluster, machine: string): Promise<void> {
  const units = UNITS.map((unit) => `/etc/systemd/system/${unit}`).join(' ');
  await shell(
    cluster,
    machine,
    `systemctl stop ${UNITS.join(' ')}; systemctl disable ${UNITS.join(' ')}
     rm -rf ${PLANNED.join(' ')} ${units} /etc/kops/protokube.json /var/lib/kops /var/cache/kops
     systemctl daemon-reload`,
  );
}

/**
 * Runs nodeup, one task at a time, again and again, each time killed with SIGKILL right after a task has reported itself done, until a run
 * comes to its end. Each run begins where the last was cut off, so every task boundary is walked. Returns the number
 * of kills and the exit code of the last run.
 */
export async function killAtEveryBoundary(
  cluster: TestCluster,
  machine: string,
): Promise<{ readonly kills: number; readonly exitCode: number }> {
  const program = [
    'import subprocess,sys',
    'kills=0',
    'while kills<200:',
    '  p=subprocess.Popen(["/opt/kops/bin/nodeup","--concurrency","1"],stderr=subprocess.PIPE,stdout=subprocess.DEVNULL,text=True)',
    '  done=next((line for line in p.stderr if line.rstrip().endswith(": done")),None)',
    '  if done is None: break',
    '  p.kill(); p.wait(); kills+=1',
    'p.wait()',
    'print(kills,p.returncode)',
  ].join('\n');
  const { stdout, stderr } = await cluster.on(machine, 'python3', '-c', program);
  const [kills, exitCode] = stdout.trim().split(' ').map(Number);
  if (kills === undefined || exitCode === undefined) throw new Error(`the runs were not counted: ${stdout}${stderr}`);
  return { kills, exitCode };
}
