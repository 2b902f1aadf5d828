import { backupTimeMs } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { hasEnded, readRestore, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { planRetention } from '../backup/plan-retention.ts';
import type { planLeadership } from '../lease/plan-leadership.ts';
import type { planCluster } from '../plan-cluster.ts';
import type { acceptRestore, beginRestore } from '../restore/accept-restore.ts';

/*
 * Defects that the managers once had, as alterations of today's decisions. A simulation that does not find them proves
 * nothing about defects that nobody has found yet.
 */

const HOUR_MS = 60 * 60_000;

/** Retention looked at names only: the first backup of an hour or a day stays, whatever the others were taken for. */
export const retentionByName: typeof planRetention = (all, { hourlyMs, dailyMs }) => {
  const backups = all.flatMap(({ name }) => {
    const madeMs = backupTimeMs(name);
    return madeMs === undefined ? [] : [{ name, madeMs }];
  });
  const nowMs = Math.max(...backups.map(({ madeMs }) => madeMs));
  const kept = new Set<string>();
  return backups
    .toSorted((a, b) => a.madeMs - b.madeMs)
    .filter(({ madeMs }) => {
      const ageMs = nowMs - madeMs;
      if (ageMs < HOUR_MS) return false;
      const slot = Math.floor(madeMs / (ageMs < hourlyMs ? HOUR_MS : 24 * HOUR_MS));
      const isFirst = !kept.has(`${slot}`);
      kept.add(`${slot}`);
      return !isFirst || ageMs > dailyMs;
    })
    .map(({ name }) => name);
};

/** A marker that was written again named all wanted members as the first ones. */
export const markerOfAllMembers =
  (plan: typeof planCluster): typeof planCluster =>
  (wanted, observed) => {
    const step = plan(wanted, observed);
    return step.action === 'create-marker' ? { ...step, members: observed.volume?.members ?? [] } : step;
  };

/** The marker of kops stayed without a token, and an empty member refused it before it asked the others. */
export const markerOfKopsRefused =
  (plan: typeof planCluster): typeof planCluster =>
  (wanted, { markerFault, ...observed }) => {
    const isOfKops = markerFault?.isOfKops === true;
    if (isOfKops && observed.tokensOnDisk.length === 0)
      return { action: 'refuse', summary: "the marker does not name the cluster's token", next: '' };
    return plan(wanted, { ...observed, ...(markerFault && !isOfKops && { markerFault }) });
  };

/** The restore of a command began without a look at its id, its outcome or the term. */
export const restoreAgain =
  (begin: typeof beginRestore): typeof acceptRestore =>
  async ({ name, wish }, { epoch }, config, store, signal) => {
    const current = await readRestore(store, config.backupPath, signal);
    if (current !== undefined && !hasEnded(current.record)) return 'a restore is under way';
    const request = { id: name, reason: `restoring ${wish.backup}`, backup: wish.backup };
    await begin(request, Math.max(epoch, current?.record.epoch ?? 0), current, config, store, signal);
    return undefined;
  };

/** A lease was kept under the member's name: without its volume, and beside another machine that had got the volume. */
export const leaseByName =
  (plan: typeof planLeadership): typeof planLeadership =>
  (me, seen, self) => {
    const isOwnName = seen?.record.holder === me.member;
    const { machine, process } = me;
    const adopted = seen && isOwnName ? { ...seen, record: { ...seen.record, machine, process } } : seen;
    return plan(me, adopted, { ...self, hasVolume: true, holds: self.holds || isOwnName });
  };

/** The record of a restore did not say how far the one before had come. */
export function forgetfulRecord({ lastRevision, ...record }: RestoreRecord): RestoreRecord {
  const isNew = record.phase === 'gathering' && record.acknowledged.length === 0;
  return { ...record, ...(!isNew && lastRevision !== undefined && { lastRevision }) };
}
