import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { parseJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { readRestore, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { minorNumber } from '@kopsctl/spec/minor-version.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { decisionLog } from '../decision-log.ts';
import { askEtcd } from '../etcd/ask-etcd.ts';
import type { Etcds } from '../etcd/etcds.ts';
import { memberHost } from '../etcd/settings.ts';
import type { Term } from '../lease/leadership.ts';
import type { LeadingEnv } from '../lease/leading-env.ts';
import { confirmTerm } from '../lease/reconcile-leadership.ts';
import { beginRestoreInTerm } from '../restore/accept-restore.ts';
import { SPEC } from '../store/layout.ts';
import { observeVersions } from './observe-versions.ts';
import { planUpgrade, type UpgradeStep, type VersionedMember } from './plan-upgrade.ts';
import { readVersions, writeVersions, type StoredVersions } from './version-record.ts';

/** The wanted version changes only when a person edits the cluster. */
const IDLE_MS = 15_000;
/** During an upgrade each restart takes a second or two. */
const UNDER_WAY_MS = 1_000;

/** The versions of etcd on this machine: the wanted one, and any others installed beside it. */
export function binariesOf(
  config: Pick<EtcdClusterConfig, 'binaries' | 'binDir' | 'etcdVersion'>,
): readonly { readonly version: string; readonly binDir: string }[] {
  return config.binaries ?? [{ version: config.etcdVersion, binDir: config.binDir }];
}

/** While this machine leads, upgrades the members to the wanted version of etcd, until `signal` aborts: observe, plan, act. */
export async function reconcileVersions(
  config: EtcdClusterConfig,
  env: LeadingEnv & { readonly etcds: Etcds },
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  const logDecision = decisionLog(env.log, 'silent');
  while (!signal.aborted) {
    const { term } = env.leadership;
    let step: UpgradeStep | undefined;
    if (term !== undefined && env.gate.etcd === 'free') {
      const both = AbortSignal.any([signal, term.signal]);
      const read = await sealedVersions(config, term, env.store, both);
      const members = await observeVersions(config, read, env, both);
      const wanted = await readWanted(config, members, env.store, both);
      const restore = await readRestore(env.store, config.backupPath, both);
      const last = restore?.record;
      const hasFailed = last?.id === restoreId(wanted) && last.phase === 'failed';
      step = planUpgrade(wanted, members, hasFailed ? (last.failure ?? 'it failed') : undefined);
      const fields = 'member' in step ? { member: step.member, version: step.version } : {};
      logDecision(step.action === 'refuse' ? { ...step, next: nextOf(step, config) } : step, fields);
      await act(step, { config, read, restore, members, term }, env, both);
    }
    const isIdle = step === undefined || step.action === 'nothing' || step.action === 'refuse';
    await wake.wait(isIdle ? IDLE_MS : UNDER_WAY_MS, signal);
  }
}

/**
 * The record, sealed by this term. Whatever an earlier leader had decided and not yet written then fails, even if it was paused
 * between its last look at the lease and its write.
 */
async function sealedVersions(
  { backupPath }: EtcdClusterConfig,
  term: Term,
  store: StateStore,
  signal: AbortSignal,
): Promise<StoredVersions> {
  const read = await readVersions(store, backupPath, signal);
  if (read.epoch === term.epoch) return read;
  await confirmTerm(term, { store, backupPath }, signal);
  await writeVersions(store, backupPath, read.versions, read, signal, term.epoch);
  return readVersions(store, backupPath, signal);
}

/** The id of the restore to a version. It is the same after a restart, so that a failure is still known then. */
function restoreId(version: string): string {
  return `to-etcd-${version}`;
}

/** What a person can do next, with the commands to run if that is a restore. */
function nextOf(step: UpgradeStep & { readonly action: 'refuse' }, { name }: EtcdClusterConfig): string {
  if (step.byRestore !== true) return step.next;
  const flag = `--etcd-cluster ${name}`;
  return `${step.next}: \`kopsctl etcd backup ${flag}\`, then \`kopsctl etcd restore-backup BACKUP ${flag} --yes\` with the name it prints as BACKUP`;
}

/**
 * The wanted version: what control wrote to the store, otherwise what the node plan says. If no machine has that patch release,
 * the one that the machines have.
 */
async function readWanted(
  config: EtcdClusterConfig,
  members: readonly VersionedMember[],
  store: StateStore,
  signal: AbortSignal,
): Promise<string> {
  const stored = await store.read(`${config.backupPath}/${SPEC}`, signal);
  const { etcdVersion } = asRecord(stored && parseJson(stored.bytes));
  const wish =
    typeof etcdVersion === 'string' && etcdVersion !== '' ? etcdVersion.replace(/^v/, '') : config.etcdVersion;
  const available = members.flatMap((one) => one.available);
  if (available.includes(wish)) return wish;
  return available.find((version) => minorNumber(version) === minorNumber(wish)) ?? wish;
}

async function act(
  step: UpgradeStep,
  seen: {
    readonly config: EtcdClusterConfig;
    readonly read: StoredVersions;
    readonly restore: StoredRecord | undefined;
    readonly members: readonly VersionedMember[];
    readonly term: Term;
  },
  env: LeadingEnv,
  signal: AbortSignal,
): Promise<void> {
  const { config, read, restore, members, term } = seen;
  const record = async (member: string, version: string): Promise<void> => {
    await confirmTerm(term, { store: env.store, backupPath: config.backupPath }, signal);
    try {
      await writeVersions(env.store, config.backupPath, { ...read.versions, [member]: version }, read, signal);
    } catch (error) {
      // Another machine wrote first; the record is read again at the next look.
      if (!(error instanceof ConflictError)) throw error;
    }
  };
  switch (step.action) {
    case 'nothing':
    case 'wait':
    case 'refuse':
      return;
    case 'record':
      return record(step.member, step.version);
    case 'restore': {
      const request = { id: restoreId(step.version), reason: step.summary, etcdVersion: step.version };
      return beginRestoreInTerm(request, restore, term, config, env, signal);
    }
    case 'move-leader':
      await confirmTerm(term, { store: env.store, backupPath: config.backupPath }, signal);
      return moveLeader(config, members, step.to, signal);
    case 'allow': {
      const { member } = env.own;
      if (step.backup && member !== undefined) {
        const request = { member, memberCount: members.length, reason: `before: ${step.summary}` };
        const { name } = await takeBackup(config, request, env, signal);
        env.log.info('backup saved before a change', { backup: name, change: step.summary });
      }
      return record(step.member, step.version);
    }
  }
}

async function moveLeader(
  config: EtcdClusterConfig,
  members: readonly VersionedMember[],
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const leader = members.find(({ isLeader }) => isLeader);
  if (leader === undefined) return;
  const { memberId } = await askEtcd(memberHost(config, to), config, (etcd) => etcd.status(signal));
  await askEtcd(memberHost(config, leader.member), config, (etcd) => etcd.moveLeader(memberId, signal));
}
