import type { BootReport } from '@kopsctl/node-plan/boot-report.ts';
import { testCluster, type TestCluster } from '../../vm/src/cluster.ts';

/** Figures that need running machines: boot, timelines, agents at rest, nodeup on a finished node. */
export async function clusterFigures(): Promise<string> {
  const parts: string[] = [];
  for (const example of ['quickstart.yaml', 'ha.yaml']) {
    const cluster = await testCluster(example);
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
  let memory = '';
  for (let run = 0; run < 5; run += 1) {
    const result = await cluster.on(
      machine,
      '/bin/bash',
      '-c',
      'TIMEFORMAT=%3R; time (/opt/kops/bin/nodeup --dry-run >/dev/null 2>&1); awk "/VmHWM/{print \\$2}" /proc/self/status',
    );
    times.push(Number(/(\d+\.\d+)/.exec(result.stderr + result.stdout)?.[1]) * 1000);
    memory = result.stdout;
  }
  const sorted = times.toSorted((a, b) => a - b);
  return `nodeup --dry-run on ${machine}: ${sorted.map((ms) => ms.toFixed(0)).join(' / ')} ms ${memory.trim() === '' ? '' : ''}\n`;
}
