import type { Log } from '@kopsctl/agent/log.ts';
import type { TakeBackup } from '../backup/take-backup.ts';
import { backupNotes, removeOldBackups } from '../backup/remove-old-backups.ts';
import { Bell } from '../bell/bell.ts';
import { decisionLog } from '../decision-log.ts';
import { Leadership } from '../lease/leadership.ts';
import { beginCandidacy, compete } from '../lease/reconcile-leadership.ts';
import { watchedFrom } from '../membership/observe-membership.ts';
import { lookAfterMembers } from '../membership/reconcile-membership.ts';
import { OwnMember } from '../own-member.ts';
import { publishOwnStatus } from '../publish-status.ts';
import { lookAfterMember, memberMemory } from '../reconcile-cluster.ts';
import { Preparation } from '../restore/preparation.ts';
import { holdFromBefore, lookAtRestore, restoreMemory } from '../restore/reconcile-restores.ts';
import { RestoreGate } from '../restore/restore-gate.ts';
import { candidateOf } from '../run-etcd-cluster.ts';
import { commandMemory, lookAtCommands } from '../store/reconcile-commands.ts';
import { storeContent } from './backups.ts';
import {
  apiServerOf,
  BACKUP_PATH,
  configOf,
  ownMachine,
  reachedEtcds,
  restoreMachine,
  type Machine,
  type ProcessView,
} from './machine.ts';
import type { SimulatedEtcd } from './simulated-etcd.ts';

/** One process of a manager. */
export interface Manager {
  readonly process: string;
  readonly leadership: Leadership;
  readonly own: OwnMember;
}

export interface ManagerOptions {
  readonly process: string;
  readonly members: readonly string[];
  readonly log: Log;
  /** Waits as long as a loop wants to, or less because something rings. */
  readonly wait: (ms: number) => Promise<void>;
  /** Backups were removed. */
  readonly onRemoved: (names: readonly string[]) => Promise<void>;
}

/** A loop that has failed is started again after this time. */
const RETRY_MS = 2_000;
/** etcd is backed up this often here, so that retention has something to do. */
const BACKUP_MS = 60_000;

/**
 * Runs the loops of one manager, which are the product's own (`runEtcdCluster`), with the machine, the etcds, the store and the
 * time of the simulation. What only reads etcd's metrics or its version, or needs data of etcd 2, does not run.
 */
export function startManager(
  machine: Machine,
  etcd: SimulatedEtcd,
  view: ProcessView,
  options: ManagerOptions,
): Manager {
  const { process, members, log } = options;
  const config = configOf(members, machine.name);
  const { signal } = new AbortController();
  const own = new OwnMember();
  const leadership = new Leadership();
  const gate = new RestoreGate();
  const bell = new Bell();
  const memory = { watched: watchedFrom(-1), advice: undefined };
  const { store, clock } = view;
  const etcds = reachedEtcds(etcd, view);
  const takeBackup: TakeBackup = async (_, { reason, member }, { address }) => {
    await view.turn();
    const data = etcd.dataAt(address);
    if (data === undefined) throw new Error(`the etcd at ${address} does not answer`);
    return storeContent(data, clock.wallMs(), { reason, takenBy: member }, config, store);
  };
  const outside = { cluster: 'demo', address: machine.name, store, clock, etcds, takeBackup, log, bell, own, gate };
  const loop = async (look: () => Promise<number | undefined>): Promise<void> => {
    let said = '';
    for (;;) {
      let waitMs: number | undefined = RETRY_MS;
      try {
        waitMs = await look();
        said = '';
      } catch (error) {
        if (String(error) !== said) log.info('failed', { error });
        said = String(error);
      }
      await options.wait(waitMs ?? 0);
    }
  };

  const member = memberMemory(log);
  const ownEnv = { ...outside, machine: ownMachine(machine, etcd, view) };
  void loop(() => lookAfterMember(config, member, ownEnv, signal));

  const candidate = { ...candidateOf(own, gate, bell, clock), machine: machine.name, process, backupPath: BACKUP_PATH };
  const candidacy = beginCandidacy(leadership, { ...outside, ...candidate });
  let isKnown = false;
  void loop(async () => {
    // Once a manager has known its member it competes, whatever becomes of the volume.
    isKnown ||= own.member !== undefined;
    return isKnown ? compete(candidacy, { ...outside, ...candidate }, signal) : 1_000;
  });

  const statusEnv = { ...ownEnv, leadership, memory };
  void loop(async () => ((await publishOwnStatus(config, statusEnv, signal)) ? 30_000 : 1_000));

  const logDecision = decisionLog(log, 'logged');
  void loop(() => lookAfterMembers(config, { ...outside, leadership, memory }, logDecision, signal));

  const restores = restoreMemory(log);
  const restoreEnv = {
    ...outside,
    machine: restoreMachine(machine, etcd, view),
    apiServer: apiServerOf(machine, view),
    preparation: new Preparation(),
    isLeader: () => leadership.isHeld,
    onNews: () => undefined,
  };
  void holdFromBefore(config, restoreEnv).then(() => loop(() => lookAtRestore(config, restores, restoreEnv, signal)));

  const commands = commandMemory();
  const actions = {
    async backup() {
      const request = { member: own.member ?? '', memberCount: 3, reason: 'requested' };
      return (await takeBackup(config, request, outside, signal)).name;
    },
    verify: () => Promise.resolve('verified'),
    defrag: () => Promise.resolve('defragmented'),
  };
  const commandEnv = {
    ...outside,
    actions,
    term: () => leadership.term,
    member: async () => (await restoreEnv.machine.member())?.member,
  };
  void loop(() => lookAtCommands(config, commands, commandEnv, signal));

  const notes = backupNotes(config, store);
  void loop(async () => {
    if (!leadership.isHeld || own.member === undefined) return BACKUP_MS;
    const request = { member: own.member, memberCount: 3, reason: 'scheduled' };
    await takeBackup(config, request, outside, signal);
    await options.onRemoved(await removeOldBackups(config, store, notes, signal));
    return BACKUP_MS;
  });
  return { process, leadership, own };
}
