import type { Prepared } from '../../../packaging/quickstart/src/prepare.ts';
import type { BootReport } from '@kopsctl/node-plan/boot-report.ts';
import { testCluster, type TestCluster } from '../../vm/src/cluster.ts';

/** Figures that need running machines: boot, timelines, agents at rest, nodeup on a finished node. */
export async function clusterFigures(prepared: Prepared): Promise<string> {
  const parts: string[] = [];
  for (const example of ['quickstart.yaml', 'ha.yaml']) {
    const cluster = await testCluster(example, prepared);
    try {
      const from = Date.now();
      const applied = await cluster.kopsctl('apply', '-f', cluster.spec, '--yes');
      if (applied.exitCode !== 0) throw new Error(`apply of ${example} failed:\n${applied.stderr}`);
      parts.push(`${example}: apply to all Ready ${((Date.now() - from) / 1000).toFixed(1)} s\n`);
      if (example === 'quickstart.yaml')
        parts.push(await timeline(cluster), await atRest(cluster), await dryRun(cluster));
    } finally {
      await cluster.destroy();
    }
  }
  return parts.join('\n');
}

const controlPlaneOf = async (cluster: TestCluster) =>
  (await cluster.machines()).find(({ role }) => role === 'ControlPlane')?.name ?? '';

async function timeline(cluster: TestCluster): Promise<string> {
  const machine = await controlPlaneOf(cluster);
  const report = JSON.parse((await cluster.on(machine, 'cat', '/var/lib/kops/boot-report.json')).stdout) as BootReport;
  const start = Date.parse(report.startedAt);
  const slow = report.tasks
    .filter((task) => (task.durationMs ?? 0) >= 300)
    .map(
      (task) =>
        `| ${task.task} | ${((Date.parse(task.startedAt ?? report.startedAt) - start) / 1000).toFixed(1)} | ${((task.durationMs ?? 0) / 1000).toFixed(1)} |`,
    );
  return `Boot of ${machine}, tasks of 300 ms and more:\n\n| task | starts at s | takes s |\n|---|---|---|\n${slow.join('\n')}\n`;
}

async function atRest(cluster: TestCluster): Promise<string> {
  const machine = await controlPlaneOf(cluster);
  const rows: string[] = [];
  for (const agent of ['protokube', 'etcd-manager']) {
    const pid = (
      await cluster.on(machine, 'systemctl', 'show', '-p', 'MainPID', '--value', `${agent}.service`)
    ).stdout.trim();
    const rollup = (await cluster.on(machine, 'cat', `/proc/${pid}/smaps_rollup`)).stdout;
    const mib = (field: string) =>
      (Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / 1024).toFixed(0);
    rows.push(`| ${agent} | ${mib('Rss')} | ${mib('Pss')} |`);
  }
  return `| agent at rest | resident MiB | proportional MiB |\n|---|---|---|\n${rows.join('\n')}\n`;
}

async function dryRun(cluster: TestCluster): Promise<string> {
  const machine = await controlPlaneOf(cluster);
  const times: number[] = [];
  let peakKiB = 0;
  // The machine image has Python for cloud-init; getrusage(2) reports the peak of a child that has exited.
  const script = [
    'import subprocess,resource,time',
    't=time.time()',
    'subprocess.run(["/opt/kops/bin/nodeup","--dry-run"],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL,check=True)',
    'print((time.time()-t)*1000,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)',
  ].join('\n');
  for (let run = 0; run < 10; run += 1) {
    const result = await cluster.on(machine, 'python3', '-c', script);
    const [ms = 0, kib = 0] = result.stdout.split(' ').map(Number);
    times.push(ms);
    peakKiB = Math.max(peakKiB, kib);
  }
  const sorted = times.toSorted((a, b) => a - b).map((ms) => ms.toFixed(0));
  return `nodeup --dry-run on ${machine} (min / median / max of 10): ${sorted[0]} / ${sorted[5]} / ${sorted[9]} ms, peak ${(peakKiB / 1024).toFixed(0)} MiB\n`;
}
