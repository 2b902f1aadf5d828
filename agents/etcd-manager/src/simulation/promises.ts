import type { Manager } from './manager.ts';
import type { SimulatedEtcd } from './simulated-etcd.ts';
import type { StoredFacts } from './stored-facts.ts';

/** A promise of the product that was broken. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A leader whose volume is gone notices at the next look of its loop (10 s) and a renewal; the rest is for calls that wait. */
const NOTICE_MS = 60_000;

/** A manager, and what matters for whether it may lead. */
export interface Leading extends Pick<Manager, 'process' | 'leadership'> {
  readonly hasVolume: boolean;
  readonly isPaused: boolean;
}

/** What the product promises. Every check throws a Violation. */
export class Promises {
  readonly #etcd: SimulatedEtcd;
  readonly #facts: StoredFacts;
  #revision = 0;
  #serving: string | undefined;
  readonly #replaced = new Set<string>();
  /** The token of the cluster that served after a restore, by the id of the restore. */
  readonly #restored = new Map<string, string>();
  readonly #lateSinceMs = new Map<string, number>();
  readonly #withoutVolumeSinceMs = new Map<string, number>();

  constructor(etcd: SimulatedEtcd, facts: StoredFacts) {
    this.#etcd = etcd;
    this.#facts = facts;
  }

  /**
   * One cluster, which has every acknowledged write or those of a backup, and whose revisions only grow. An etcd of a cluster
   * that a restore has replaced may be started late, by a manager that was paused just before; then it is stopped soon.
   */
  checkEtcd(nowMs: number): void {
    const serving = this.#etcd.serving();
    for (const { id, token } of serving) if (this.#isSuccessor(id, token)) this.#checkSuccessor(id, token);
    const late = serving.filter(({ id }) => this.#replaced.has(id));
    for (const id of this.#lateSinceMs.keys()) if (!late.some((one) => one.id === id)) this.#lateSinceMs.delete(id);
    for (const { id } of late) {
      const sinceMs = this.#lateSinceMs.get(id) ?? nowMs;
      this.#lateSinceMs.set(id, sinceMs);
      if (nowMs - sinceMs > NOTICE_MS) throw new Violation(`${id} still serves, although a restore has replaced it`);
    }
    const [cluster, other] = serving.filter(({ id }) => !this.#replaced.has(id));
    if (cluster === undefined) return;
    if (other !== undefined) throw new Violation(`two clusters serve: ${cluster.id} and ${other.id}`);
    const { id, token, revision } = cluster;
    if (id !== this.#serving) this.#checkSuccessor(id, token);
    const lost = this.#etcd.lostBy(id);
    if (lost.length > 0) throw new Violation(`acknowledged writes are lost: ${lost.join(', ')}`);
    if (revision < this.#revision) throw new Violation(`revision ${revision} follows ${this.#revision}`);
    this.#revision = revision;
  }

  #isSuccessor(id: string, token: string): boolean {
    return id !== this.#serving && !this.#replaced.has(id) && this.#facts.restoreOf(token) !== undefined;
  }

  /** Another cluster may serve only after a restore, and each restore has a cluster of its own. */
  #checkSuccessor(id: string, token: string): void {
    if (this.#serving !== undefined) {
      this.#replaced.add(this.#serving);
      const restore = this.#facts.restoreOf(token);
      if (restore === undefined) throw new Violation(`${id} serves after ${this.#serving}, and no restore made it`);
      if (this.#restored.has(restore)) throw new Violation(`the restore ${restore} was carried out twice`);
      this.#restored.set(restore, token);
    }
    this.#serving = id;
  }

  /** No two processes lead in one term, and none leads for long without a volume. */
  checkLeaders(managers: readonly Leading[], nowMs: number): void {
    const terms = new Map<number, string>();
    for (const { process, leadership, hasVolume, isPaused } of managers) {
      const epoch = leadership.term?.epoch;
      if (epoch === undefined || hasVolume || isPaused) this.#withoutVolumeSinceMs.delete(process);
      if (epoch === undefined) continue;
      const other = terms.get(epoch);
      if (other !== undefined) throw new Violation(`${other} and ${process} both lead in the term ${epoch}`);
      terms.set(epoch, process);
      if (hasVolume || isPaused) continue;
      const sinceMs = this.#withoutVolumeSinceMs.get(process) ?? nowMs;
      this.#withoutVolumeSinceMs.set(process, sinceMs);
      if (nowMs - sinceMs > NOTICE_MS) throw new Violation(`${process} leads although it has no volume`);
    }
  }

  /** The way back is never removed: what a restore needs or has made, and what was taken for a reason. */
  checkRemovedBackup(name: string): void {
    const { reasons, restore } = this.#facts;
    if (name === restore?.safetyBackup || name === restore?.carriedBackup)
      throw new Violation(`${name}, the way back from a restore, was removed`);
    if (restore?.isUnderWay === true && name === restore.backup)
      throw new Violation(`${name} was removed while it was restored`);
    if (!this.mayBeRemoved(name))
      throw new Violation(`${name} was removed, and was taken for a reason: ${reasons.get(name) ?? '?'}`);
  }

  /** Whether the backup was taken for no particular reason. */
  mayBeRemoved(name: string): boolean {
    return this.#facts.reasons.get(name) === 'scheduled';
  }

  /**
   * A restore that is done has backed up all that the etcds had when they stopped, unless their machines could not do that. One
   * that has failed has replaced nothing.
   */
  checkKept(): void {
    const { revisions, restore } = this.#facts;
    if (restore?.phase !== 'done') return;
    const { id, safetyBackup = '', stopped = {}, carriedBackup = '', carriedOver = {}, notKept = {} } = restore;
    for (const [backup, data] of [
      [safetyBackup, stopped],
      [carriedBackup, carriedOver],
    ] as const) {
      for (const [member, { revision }] of Object.entries(data)) {
        if (revision > (revisions.get(backup) ?? 0) && notKept[member] === undefined)
          throw new Violation(`${id} is done, and what ${member} had at revision ${revision} is in no backup`);
      }
    }
  }
}
