import { readOutcome, writeCommand } from '@kopsctl/state-store/etcd/command.ts';
import { listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import {
  readRestore,
  RESTORE_PHASES,
  RESTORE_RECORD,
  STUCK_MS,
  type RestoreRecord,
} from '@kopsctl/state-store/etcd/restore-record.ts';
import { beginRestore } from '../restore/accept-restore.ts';
import { BACKUP_PATH, configOf } from './machine.ts';
import { Violation } from './promises.ts';
import type { Random } from './random.ts';
import { MEMBERS, type Stage } from './stage.ts';

/** A course of events that chance alone would hardly ever bring about. The seed decides the order of all calls. */
export type Tale = keyof typeof TALES;

export interface Teller {
  readonly stage: Stage;
  readonly random: Random;
  /** Lets one thing happen, and checks the promises. */
  step(): Promise<void>;
}

/** Every phase of a restore may have to wait for its longest time. */
const MOST_STEPS = 30_000;
/** The longest that a machine waits for others during a restore. */
const MOST_PATIENCE_MS = 90 * 60_000;
/** This many calls happen between two looks of a leader at the commands, and until it has accepted one. */
const ACCEPTED_STEPS = 60;
/** Enough for a manager that was paused to do what it had decided on. */
const AFTERWARDS_STEPS = 400;

export const TALES = {
  'a leader wakes after a restore': { beginning: 'three members', tell: wakeAfterRestore },
  'restored data is lost': { beginning: 'three members', tell: loseRestoredData },
  'kops has formed a cluster, and a disk is lost': { beginning: 'formed by kops', tell: loseDiskOfKops },
  'the record of a restore is removed': { beginning: 'three members', tell: removeRecord },
  'all that take part in a restore are lost': { beginning: 'three members', tell: loseAllThatTakePart },
  'the quorum is lost while a restored etcd starts': { beginning: 'three members', tell: loseQuorumWhileStarting },
  'a restore of what is there': { beginning: 'three members', tell: restoreWhatIsThere },
} as const;

/** The leader is paused as it accepts a restore, and goes on when another one has carried it out. */
async function wakeAfterRestore(teller: Teller): Promise<void> {
  const { stage, random } = teller;
  for (let round = 0; round < 3; round += 1) {
    const asked = await askForRestore(teller);
    await steps(teller, random.below(ACCEPTED_STEPS));
    const leader = stage.machines.find(({ manager }) => manager?.leadership.isHeld === true)?.manager;
    if (leader !== undefined) {
      stage.schedule.note(`${leader.process} is paused`);
      stage.schedule.pause(leader.process);
    }
    await ended(teller, asked);
    stage.schedule.note('everybody goes on');
    stage.schedule.resume();
    await steps(teller, AFTERWARDS_STEPS);
  }
}

/** All disks are lost after a restore, before there is a backup of what it has made. */
async function loseRestoredData(teller: Teller): Promise<void> {
  const { stage } = teller;
  await ended(teller, await askForRestore(teller));
  for (const machine of stage.machines) loseDisk(stage, machine);
  for (const machine of stage.machines) stage.boot(machine);
  await ended(teller, await askForRestore(teller));
}

/** The member of that disk is replaced in the end, although no machine has recorded that it ever served. */
async function loseDiskOfKops({ stage, random }: Teller): Promise<void> {
  const machine = random.pick(stage.machines.filter(({ volume }) => volume !== undefined));
  loseDisk(stage, machine);
  stage.boot(machine);
}

/** Somebody removes the record in any phase, as the managers advise if they cannot read it. */
async function removeRecord(teller: Teller): Promise<void> {
  const { stage, random } = teller;
  const asked = await askForRestore(teller);
  const at = random.pick(RESTORE_PHASES);
  const record = async () => (await readRestore(stage.store, BACKUP_PATH))?.record;
  const isThere = ({ phase }: RestoreRecord): boolean => phase === at || phase === 'done' || phase === 'failed';
  await until(teller, `a restore in the phase ${at}`, async () => {
    const now = await record();
    return now !== undefined && isThere(now);
  });
  await steps(teller, random.below(ACCEPTED_STEPS));
  stage.schedule.note(
    `somebody removes the record of the restore, which was in the phase ${(await record())?.phase ?? ''}`,
  );
  await stage.store.delete(`${BACKUP_PATH}/${RESTORE_RECORD}`);
  await ended(teller, asked);
}

/**
 * Only one machine answers when a restore begins, and it is lost, or paused for long, before the restored cluster counts. The
 * others come back with their data, and can do without it.
 */
async function loseAllThatTakePart(teller: Teller): Promise<void> {
  const { stage, random } = teller;
  const record = async () => (await readRestore(stage.store, BACKUP_PATH))?.record;
  const members = stage.machines.filter(({ volume }) => volume !== undefined);
  const only = random.pick(members);
  const asked = await askForRestore(teller);
  const written = stage.etcd.acknowledged();
  for (const machine of members) if (machine !== only) stage.powerOff(machine);
  const at = random.pick(['stopping', 'saving', 'restoring'] as const);
  await until(teller, `a restore in the phase ${at}`, async () => {
    const phase = (await record())?.phase ?? 'gathering';
    return RESTORE_PHASES.indexOf(phase) >= RESTORE_PHASES.indexOf(at);
  });
  await steps(teller, random.below(ACCEPTED_STEPS));
  const { phase } = (await record()) ?? {};
  stage.schedule.note(`${only.name} is lost in the phase ${phase ?? ''}`);
  // Once the restored cluster counts, there is no way without its data.
  const isUndecided = phase === 'stopping' || phase === 'saving' || phase === 'restoring';
  const { manager } = only;
  if (isUndecided && random.chance(0.3)) loseDisk(stage, only);
  else if (isUndecided && manager !== undefined && random.chance(0.5)) stage.schedule.pause(manager.process);
  else stage.powerOff(only);
  for (const machine of members) if (machine !== only) stage.boot(machine);
  if (!isUndecided) return;
  await until(teller, 'the end of the restore', async () => {
    if (random.chance(0.01)) stage.schedule.leap(MOST_PATIENCE_MS);
    return (await record())?.phase === 'failed';
  });
  stage.schedule.resume();
  await ended(teller, asked);
  await until(teller, 'a cluster that serves what was written', async () => {
    const served = new Set(stage.etcd.acknowledged());
    return written.every((write) => served.has(write));
  });
}

/** Two disks are lost while the restored etcd starts. Only another restore leads on from there, and it must be possible. */
async function loseQuorumWhileStarting(teller: Teller): Promise<void> {
  const { stage, random } = teller;
  const record = async () => (await readRestore(stage.store, BACKUP_PATH))?.record;
  const first = await askForRestore(teller);
  await until(teller, 'a restored etcd that starts', async () => (await record())?.phase === 'starting');
  await steps(teller, random.below(ACCEPTED_STEPS));
  const members = stage.machines.filter(({ volume }) => volume !== undefined);
  const survivor = random.pick(members);
  for (const machine of members) if (machine !== survivor) loseDisk(stage, machine);
  for (const machine of members) stage.boot(machine);
  const second = await askForRestore(teller);
  await until(teller, 'an outcome of both restores', async () => {
    const isStuck = (await record())?.phase === 'starting';
    if (isStuck && random.chance(0.01)) stage.schedule.leap(STUCK_MS);
    const outcomes = await Promise.all([first, second].map((name) => readOutcome(stage.store, BACKUP_PATH, name)));
    return outcomes.every((outcome) => outcome !== undefined);
  });
  const { phase, carriedOver = {}, carriedBackup } = (await record()) ?? {};
  if (phase !== 'done') throw new Violation(`the second restore has ended as ${phase ?? ''}`);
  if (carriedOver[survivor.volume?.member ?? ''] !== undefined && carriedBackup === undefined)
    throw new Violation('what there was before the first restore is in no backup');
}

/** As etcd comes to a version to which it cannot be upgraded in place: whatever was written before must be there afterwards. */
async function restoreWhatIsThere(teller: Teller): Promise<void> {
  const { stage } = teller;
  await until(teller, 'a backup', async () => (await listBackups(stage.store, BACKUP_PATH)).length > 0);
  const config = configOf(MEMBERS, 'a');
  const request = { id: 'to-another-version', reason: 'going to another version' };
  await beginRestore(request, 0, undefined, config, stage.store, new AbortController().signal);
  const phase = async () => (await readRestore(stage.store, BACKUP_PATH))?.record.phase;
  await until(teller, 'the backup of what is there', async () => (await phase()) === 'saving');
  const written = stage.etcd.acknowledged();
  await until(teller, 'the end of the restore', async () => (await phase()) === 'done');
  const restored = new Set(stage.etcd.acknowledged());
  const lost = written.filter((write) => !restored.has(write));
  if (lost.length > 0) throw new Violation(`the restore of what was there has lost the writes ${lost.join(', ')}`);
}

function loseDisk(stage: Stage, machine: Stage['machines'][number]): void {
  if (machine.volume === undefined) return;
  stage.schedule.note(`${machine.name} loses its disk`);
  stage.powerOff(machine);
  machine.volume.folders = new Map();
}

async function steps(teller: Teller, count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await teller.step();
}

async function until(teller: Teller, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (await isTrue()) return;
    await teller.step();
  }
  throw new Violation(`never: ${what}`);
}

/** Asks for a restore of the oldest backup, as soon as there is one. Resolves with the name of the command. */
async function askForRestore(teller: Teller): Promise<string> {
  const { stage } = teller;
  let backup: string | undefined;
  await until(teller, 'a backup', async () => {
    backup = (await listBackups(stage.store, BACKUP_PATH))[0]?.name;
    return backup !== undefined;
  });
  stage.schedule.note(`somebody asks for a restore of ${backup ?? ''}`);
  const clusterSpec = { memberCount: 3, etcdVersion: '3.5.30' };
  const wish = { action: 'restore-backup', backup: backup ?? '', clusterSpec } as const;
  return writeCommand(stage.store, BACKUP_PATH, wish, stage.wallMs());
}

async function ended(teller: Teller, command: string): Promise<void> {
  const { store } = teller.stage;
  await until(
    teller,
    `an outcome of ${command}`,
    async () => (await readOutcome(store, BACKUP_PATH, command)) !== undefined,
  );
}
