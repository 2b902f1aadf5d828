import type { TestCluster } from './cluster.ts';

/** The folders of a worker that only its node plan writes. */
const PLANNED = [
  '/etc/containerd',
  '/etc/sysconfig',
  '/etc/modules-load.d/kops.conf',
  '/opt/cni',
  '/opt/kops/bin/cni-iptables-setup',
  '/opt/kops/bin/metadata-guard',
  '/opt/kops/bin/service-guard',
  '/usr/local/bin',
  '/usr/local/sbin/runc',
];
const UNITS = [
  'kubelet.service',
  'containerd.service',
  'protokube.service',
  'cni-iptables-setup.service',
  'metadata-guard.service',
  'service-guard.service',
];
/** Authorities know the machine by it; nodeup never makes it. */
const MACHINE_KEY = '/var/lib/kops/machine.key';

const shell = (cluster: TestCluster, machine: string, script: string) => cluster.on(machine, '/bin/sh', '-ec', script);

/** Path, mode and content of every file of the plan, one per line. */
export async function plannedFiles(cluster: TestCluster, machine: string): Promise<readonly string[]> {
  const places = [...PLANNED, ...UNITS.map((unit) => `/etc/systemd/system/${unit}`)].join(' ');
  const listed = await shell(
    cluster,
    machine,
    `find ${places} \\( -type f -printf '%p %m ' -exec sh -c 'sha256sum < "$1"' _ {} \\; \\) -o -type l -printf '%p -> %l\\n'`,
  );
  return listed.stdout.split('\n').toSorted();
}

/** Removes everything that nodeup created, except the agents' binary and the files of the user-data. */
export async function undoNodeup(cluster: TestCluster, machine: string): Promise<void> {
  const units = UNITS.map((unit) => `/etc/systemd/system/${unit}`).join(' ');
  await shell(
    cluster,
    machine,
    `systemctl stop ${UNITS.join(' ')}; systemctl disable ${UNITS.join(' ')}
     rm -rf ${PLANNED.join(' ')} ${units} /etc/kops/protokube.json /var/cache/kops
     find /var/lib/kops -mindepth 1 ! -path ${MACHINE_KEY} -delete
     systemctl daemon-reload`,
  );
}

/**
 * Runs nodeup with one task at a time, and kills it with SIGKILL as soon as some tasks have reported that they are done,
 * until a run completes. Each run starts where the last one was killed. Returns the number of kills and the exit code of
 * the last run.
 *
 * @param most a run is killed after one to this many tasks, by chance; with 1, nodeup is killed at every task boundary
 */
export async function killAtBoundaries(
  cluster: TestCluster,
  machine: string,
  most: number,
): Promise<{ readonly kills: number; readonly exitCode: number }> {
  const program = [
    'import random,subprocess,sys',
    'kills=0',
    'while kills<200:',
    `  left=random.randint(1,${most})`,
    '  p=subprocess.Popen(["/opt/kops/bin/nodeup","--concurrency","1"],stderr=subprocess.PIPE,stdout=subprocess.DEVNULL,text=True)',
    '  for line in p.stderr:',
    '    left-=" task done " in line',
    '    if left==0: break',
    '  else: break',
    '  p.kill(); p.wait(); kills+=1',
    'p.wait()',
    'print(kills,p.returncode)',
  ].join('\n');
  const { stdout, stderr } = await cluster.on(machine, 'python3', '-c', program);
  const [kills, exitCode] = stdout.trim().split(' ').map(Number);
  if (kills === undefined || exitCode === undefined)
    throw new Error(`the script did not report its runs: ${stdout}${stderr}`);
  return { kills, exitCode };
}
