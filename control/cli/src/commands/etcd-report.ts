import { diagnoseEtcd, isHeard } from '@kopsctl/apply/etcd-diagnosis.ts';
import { findEtcdClusters } from '@kopsctl/apply/etcd-clusters.ts';
import { readEtcdReport, type EtcdReport } from '@kopsctl/apply/etcd-report.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

export interface EtcdReportOptions {
  readonly etcdCluster?: string;
  readonly output: 'table' | 'json';
}

async function readReports(global: GlobalOptions, options: EtcdReportOptions): Promise<readonly EtcdReport[]> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  const etcds = await findEtcdClusters(store, cluster, options.etcdCluster);
  return Promise.all(etcds.map((etcd) => readEtcdReport(store, etcd)));
}

/** Prints what each etcd-manager says of its member. Needs nothing but the store. */
export async function etcdStatus(global: GlobalOptions, options: EtcdReportOptions): Promise<number> {
  const reports = await readReports(global, options);
  if (options.output === 'json') {
    process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
    return 0;
  }
  const nowMs = Date.now();
  const rows = reports.flatMap((report) =>
    report.members.map((status) => {
      const { etcd } = status;
      const role =
        etcd === undefined ? '' : etcd.leaderId === etcd.memberId ? 'leader' : etcd.isLearner ? 'learner' : 'follower';
      return [
        report.name,
        status.member,
        status.address,
        etcd?.version ?? '-',
        etcd === undefined ? 'no answer' : etcd.leaderId === undefined ? 'no quorum' : role,
        etcd === undefined ? '-' : String(etcd.revision),
        etcd === undefined ? '-' : `${(etcd.dbSizeBytes / 1024 ** 2).toFixed(1)}Mi`,
        `${Math.round((nowMs - Date.parse(status.updatedAt)) / 1000)}s${isHeard(status, nowMs) ? '' : ' (silent)'}`,
        status.decision,
      ];
    }),
  );
  const header = ['ETCD', 'MEMBER', 'ADDRESS', 'VERSION', 'STATE', 'REVISION', 'SIZE', 'AGE', 'DECISION'];
  process.stdout.write(table(header, rows));
  for (const { name, restore, pending } of reports) {
    if (restore !== undefined) {
      process.stdout.write(`${name}: restore ${restore.id}: ${restore.phase} since ${restore.since}\n`);
    }
    for (const command of pending)
      process.stdout.write(`${name}: asked for: ${command.wish.action} (${command.name})\n`);
  }
  return 0;
}

/** Says what is wrong and what to do next. Exit code 2 where there is an error. */
export async function etcdDoctor(global: GlobalOptions, options: EtcdReportOptions): Promise<number> {
  const reports = await readReports(global, options);
  const findings = reports.flatMap((report) =>
    diagnoseEtcd(report, Date.now()).map((finding) => ({ etcdCluster: report.name, ...finding })),
  );
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else if (findings.length === 0)
    process.stdout.write(`${reports.map(({ name }) => name).join(', ')}: nothing is wrong\n`);
  else for (const { level, what, next } of findings) process.stdout.write(`${level}: ${what}\n  next: ${next}\n`);
  return findings.some(({ level }) => level === 'error') ? 2 : 0;
}
