import { etcdQuotaBytes } from '@kopsctl/node-plan/etcd-quota.ts';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { canMigrateEtcd2 } from '@kopsctl/state-store/etcd/check-restore.ts';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';
import { awaitedApiServers, awaitedIn } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { hasEnded, mayBeGivenUp } from '@kopsctl/state-store/etcd/restore-record.ts';
import { minorOf } from '@kopsctl/spec/minor-version.ts';
import type { EtcdReport } from './etcd-report.ts';

export interface EtcdFinding {
  readonly level: 'error' | 'warning';
  readonly what: string;
  readonly next: string;
}

/** A manager writes its status twice a minute. */
const SILENT_MS = 2 * 60_000;
/** Three backups of the default schedule were missed. */
const BACKUP_OLD_MS = 45 * 60_000;
/** Two verifications in a row were missed. */
const VERIFIED_OLD_MS = 3 * 60 * 60_000;
/** Managers look for commands every few seconds. */
const RESTORE_SLOW_MS = 15 * 60_000;
/** The fill at which etcd's default quota leaves too little time to act. */
const QUOTA_SHARE = 0.8;

/** What is wrong with an etcd cluster and what to do about it, most serious first. Empty if all is well. Pure. */
export function diagnoseEtcd(report: EtcdReport, nowMs: number): readonly EtcdFinding[] {
  const findings = [
    ...quorumFindings(report, nowMs),
    ...memberFindings(report, nowMs),
    ...backupFindings(report, nowMs),
    ...restoreFindings(report, nowMs),
  ];
  return [...findings.filter(({ level }) => level === 'error'), ...findings.filter(({ level }) => level === 'warning')];
}

/** The manager has written its status lately. */
export function isHeard(status: MemberStatus, nowMs: number): boolean {
  return nowMs - Date.parse(status.updatedAt) < SILENT_MS;
}

function quorumFindings(report: EtcdReport, nowMs: number): readonly EtcdFinding[] {
  const { members, name } = report;
  if (members.length === 0) {
    const next = 'look at etcd-manager on the control plane: `journalctl -u etcd-manager`';
    return [{ level: 'error', what: `no manager of etcd ${name} has ever written its status`, next }];
  }
  const heard = members.filter((status) => isHeard(status, nowMs));
  const voters = votersOf(members);
  const quorum = quorumOf(voters.length);
  // An etcd that knows a leader is one of a majority.
  if (heard.some(({ etcd }) => etcd?.leaderId !== undefined)) return [];
  const holders = heard.filter(({ holdsEtcd2 }) => holdsEtcd2 === true);
  if (holders.length > 0) return [etcd2Finding(report, holders)];
  const answering = heard.filter(({ etcd }) => etcd !== undefined).map(({ member }) => member);
  const away = voters.filter((member) => !answering.includes(member));
  const backup = report.newestVerified ?? report.newestBackup;
  const bringBack = `bring back ${quorum - answering.length} of ${away.join(', ')} (their machines, or etcd on them)`;
  return [
    {
      level: 'error',
      what:
        `etcd ${name} has lost its quorum: ${quorum} of its ${voters.length} members must answer, and ` +
        `${answering.length === 0 ? 'none does' : `only ${answering.join(', ')} ${answering.length === 1 ? 'does' : 'do'}`}; ` +
        'nothing can be written, and the API does not answer',
      next:
        backup === undefined
          ? `${bringBack}; there is no backup to go back to`
          : `${bringBack}; if they are gone for good, go back to ${new Date(backup.takenMs).toISOString()}: ` +
            `\`kopsctl etcd restore-backup ${backup.name} --etcd-cluster ${name}\``,
    },
  ];
}

/** No etcd runs there, and a restore of an older backup would lose what the volumes hold. */
function etcd2Finding({ name, members, restore }: EtcdReport, holders: readonly MemberStatus[]): EtcdFinding {
  const names = holders.map(({ member }) => member).join(', ');
  const what = `the data of ${names} of etcd ${name} is from etcd 2: no etcd runs on it until it has been taken over`;
  const cannot = holders.find(({ wantedVersion }) => !canMigrateEtcd2(wantedVersion));
  if (cannot !== undefined) {
    const next = `etcd ${cannot.wantedVersion} cannot take it over: set spec.etcdClusters[].version to 3.4 and apply`;
    return { level: 'error', what, next };
  }
  if (restore?.takesOverEtcd2 === true && restore.phase === 'failed') {
    const next = 'the journal of the leader says what to do: `journalctl -u etcd-manager`';
    return { level: 'error', what: `${what}, which has failed: ${restore.failure ?? ''}`, next };
  }
  const missing = members.filter((member) => !holders.includes(member)).map(({ member }) => member);
  const waiting =
    missing.length === 0
      ? ''
      : `, once most members are there (not seen: ${missing.join(', ')}); if those are gone for good, restore a backup: \`kopsctl etcd list-backups\``;
  return { level: 'error', what, next: `nothing: its managers do that by themselves${waiting}` };
}

/** The voters as etcd itself lists them, if a member of it answered; otherwise every member that has ever written its status. */
function votersOf(members: readonly MemberStatus[]): readonly string[] {
  const newest = members
    .filter(({ members: listed }) => listed !== undefined)
    .toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0];
  const listed = newest?.members?.filter(({ isLearner }) => isLearner !== true);
  // Within etcd, kops's members are called etcd-<member>; one that has never started has no name yet.
  return listed?.map(({ id, name }) => name.replace(/^etcd-/, '') || id) ?? members.map(({ member }) => member);
}

function memberFindings({ members, name }: EtcdReport, nowMs: number): readonly EtcdFinding[] {
  return members.flatMap((status): readonly EtcdFinding[] => {
    const { member, etcd, decision } = status;
    if (!isHeard(status, nowMs)) {
      const what = `the manager of member ${member} of ${name} was last heard at ${status.updatedAt}`;
      return [{ level: 'warning', what, next: `look at the machine of ${member} (${status.address})` }];
    }
    if (etcd === undefined) {
      const what = `the etcd of member ${member} of ${name} does not answer; its manager says "${decision}"`;
      return [{ level: 'warning', what, next: `on ${status.address}: \`journalctl -u etcd-${name}\`` }];
    }
    const findings: EtcdFinding[] = [];
    if (status.problem !== undefined) {
      const what = `member ${member} of ${name}: ${status.problem}`;
      findings.push({ level: 'warning', what, next: 'its manager replaces it while the others hold the quorum' });
    }
    if (status.advice !== undefined) {
      findings.push({ level: 'error', what: `etcd ${name}: ${status.advice.what}`, next: status.advice.next });
    }
    for (const alarm of etcd.alarms) {
      const what = `member ${member} of ${name} has raised ${alarm}`;
      findings.push({ level: 'error', what, next: nextAfterAlarm(alarm, name) });
    }
    const quota = etcd.quotaBytes ?? etcdQuotaBytes(undefined);
    if (etcd.dbSizeBytes > quota * QUOTA_SHARE) {
      const share = Math.round((etcd.dbSizeBytes / quota) * 100);
      const what = `the database of member ${member} of ${name} fills ${share} % of its quota`;
      findings.push({ level: 'warning', what, next: `\`kopsctl etcd defrag --etcd-cluster ${name}\`` });
    }
    if (etcd.version !== '' && minorOf(etcd.version) !== minorOf(status.wantedVersion)) {
      const what = `member ${member} of ${name} runs etcd ${etcd.version}, and ${status.wantedVersion} is wanted`;
      findings.push({ level: 'warning', what, next: 'its manager changes it, one member at a time' });
    }
    return findings;
  });
}

function nextAfterAlarm(alarm: string, name: string): string {
  if (alarm === 'NOSPACE')
    return `writes are refused until there is room: \`kopsctl etcd defrag --etcd-cluster ${name}\``;
  return `etcd takes no writes, because its members hold different data: the managers compare it, replace the member that differs from the majority, and lift the alarm within minutes; \`journalctl -u etcd-manager\` on the leader says which`;
}

function backupFindings(report: EtcdReport, nowMs: number): readonly EtcdFinding[] {
  const { name, newestBackup: newest, newestVerified: verified } = report;
  const take = `\`kopsctl etcd backup --etcd-cluster ${name}\`, and see what its outcome says`;
  if (newest === undefined) return [{ level: 'error', what: `etcd ${name} has no backup`, next: take }];
  const findings: EtcdFinding[] = [];
  const ageMs = nowMs - newest.takenMs;
  if (ageMs > BACKUP_OLD_MS) {
    const what = `the newest backup of ${name} is ${Math.round(ageMs / 60_000)} minutes old (${newest.name})`;
    findings.push({ level: 'warning', what, next: take });
  }
  if (newest.verified?.ok === false) {
    const what = `the newest backup of ${name} cannot be restored: ${newest.verified.failure ?? ''}`;
    findings.push({ level: 'error', what, next: take });
  } else if (verified === undefined || nowMs - verified.takenMs > VERIFIED_OLD_MS) {
    const what =
      verified === undefined
        ? `no recent backup of ${name} was verified`
        : `the last verified backup of ${name} is ${verified.name}`;
    findings.push({ level: 'warning', what, next: `\`kopsctl etcd verify --etcd-cluster ${name}\`` });
  }
  return findings;
}

function restoreFindings({ name, restore }: EtcdReport, nowMs: number): readonly EtcdFinding[] {
  if (restore === undefined || hasEnded(restore)) return [];
  const sinceMs = nowMs - Date.parse(restore.since);
  const [missing, apiServers] = [awaitedIn(restore), awaitedApiServers(restore)];
  const all = [...missing, ...apiServers];
  const waiting = all.length > 0 ? `, waiting for ${all.join(', ')}` : '';
  const what = `a restore of ${name} is under way (${restore.phase} since ${restore.since}${waiting})`;
  if (mayBeGivenUp(restore, nowMs)) return [{ level: 'error', what, next: nextIfStuck(name, missing) }];
  if (sinceMs < RESTORE_SLOW_MS) return [{ level: 'warning', what, next: 'wait; `kopsctl etcd status` shows it' }];
  const next =
    missing.length === 0 && apiServers.length > 0
      ? `look at protokube of ${apiServers.join(', ')}, which has to stop the API server there: \`journalctl -u protokube\``
      : `look at etcd-manager of ${missing.join(', ') || 'the leader'}: \`journalctl -u etcd-manager\``;
  return [{ level: 'error', what, next }];
}

function nextIfStuck(name: string, missing: readonly string[]): string {
  const again = `restore a backup again: \`kopsctl etcd restore-backup BACKUP --etcd-cluster ${name}\`, which gives this restore up`;
  return `bring back the machines of ${missing.join(', ') || 'its members'}; if too few of them are left, ${again}`;
}
