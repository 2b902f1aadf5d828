import { isHeard } from '@kopsctl/actions/etcd/etcd-diagnosis.ts';
import type { EtcdReport } from '@kopsctl/actions/etcd/etcd-report.ts';
import { table } from './table.ts';

const HEADER = ['ETCD', 'MEMBER', 'ADDRESS', 'VERSION', 'STATE', 'REVISION', 'SIZE', 'AGE', 'DECISION'];

/** What each manager says about its member, and below it what is under way and what was asked for. */
export function etcdTable(reports: readonly EtcdReport[], nowMs: number): string {
  const rows = reports.flatMap(({ name, members }) =>
    members.map((status) => {
      const { etcd } = status;
      const role =
        etcd === undefined ? '' : etcd.leaderId === etcd.memberId ? 'leader' : etcd.isLearner ? 'learner' : 'follower';
      return [
        name,
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
  const below = reports.flatMap(({ name, restore, pending }) => [
    ...(restore === undefined ? [] : [`${name}: restore ${restore.id}: ${restore.phase} since ${restore.since}\n`]),
    ...pending.map((command) => `${name}: asked for: ${command.wish.action} (${command.name})\n`),
  ]);
  return table(HEADER, rows) + below.join('');
}
