import { BACKUP_FACTS } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { writeCommand } from '@kopsctl/state-store/etcd/command.ts';
import { listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';
import { hasServedBefore } from '../observe-cluster.ts';
import { CREATED } from '../store/layout.ts';
import { BACKUP_PATH } from './machine.ts';
import type { Random } from './random.ts';
import type { ManagedMachine, Stage } from './stage.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

type Harm = (stage: Stage, machine: ManagedMachine, random: Random) => void | Promise<void>;

/** What may happen to machines, and what people may ask for. Each is as likely as the others. */
const HARMS: readonly Harm[] = [
  killManager,
  startAgain,
  startAgain,
  cutPower,
  pauseManager,
  resumeManagers,
  loseMarker,
  loseDisk,
  detachVolume,
  attachVolume,
  attachVolume,
  setClock,
  letTimePass,
  askForBackup,
  askForRestore,
];

export async function doHarm(stage: Stage, random: Random): Promise<void> {
  const machines = stage.machines.filter(
    ({ volume }) => volume === undefined || volume.members.includes(volume.member),
  );
  await random.pick(HARMS)(stage, random.pick(machines), random);
}

function killManager(stage: Stage, machine: ManagedMachine): void {
  if (machine.manager === undefined) return;
  stage.schedule.note(`${machine.name}: its manager is killed`);
  stage.stopManager(machine);
}

function startAgain(stage: Stage, machine: ManagedMachine): void {
  if (machine.isUp) stage.startManager(machine);
  else stage.boot(machine);
}

function cutPower(stage: Stage, machine: ManagedMachine): void {
  if (!machine.isUp) return;
  stage.schedule.note(`${machine.name} loses its power`);
  stage.powerOff(machine);
}

function pauseManager({ schedule }: Stage, { manager }: ManagedMachine): void {
  if (manager === undefined) return;
  schedule.note(`${manager.process} is paused`);
  schedule.pause(manager.process);
}

function resumeManagers({ schedule }: Stage): void {
  if (schedule.paused.size > 0) schedule.note(`${[...schedule.paused].join(', ')} goes on`);
  schedule.resume();
}

async function loseMarker({ store, etcd, schedule }: Stage, _: ManagedMachine, random: Random): Promise<void> {
  const path = `${BACKUP_PATH}/${CREATED}`;
  const there = await store.read(path);
  // Without a marker, a cluster of whose data the store says nothing is one that never was: kops records no members.
  if (there === undefined || !etcd.hasAcknowledged || !(await hasServedBefore(BACKUP_PATH, store))) return;
  schedule.note('the marker is lost');
  if (random.chance(0.5)) await store.delete(path);
  else await store.write(path, Buffer.from('{"tok'), { ifVersion: there.version });
}

/** A disk is lost only while a majority of the voters has its data without it: nobody can promise anything otherwise. */
function loseDisk(stage: Stage, machine: ManagedMachine): void {
  const { volume } = machine;
  if (volume === undefined) return;
  const voters = stage.etcd.listed().filter(({ isLearner }) => !isLearner);
  const others = stage.machines.filter((one) => one !== machine).flatMap((one) => one.volume ?? []);
  const intact = voters.filter(({ id }) =>
    others.some(({ folders }) => [...folders.values()].some(({ etcd }) => etcd?.memberId === id)),
  );
  if (voters.length === 0 || intact.length < quorumOf(voters.length)) return;
  stage.schedule.note(`${machine.name} loses its disk`);
  stage.powerOff(machine);
  volume.folders = new Map();
}

/** The volume and what runs on it are gone; the manager lives on. */
function detachVolume(stage: Stage, machine: ManagedMachine): void {
  if (machine.volume === undefined || stage.detached !== undefined) return;
  stage.schedule.note(`the volume of ${machine.name} is gone`);
  stage.etcd.stop(machine.name);
  stage.detached = machine.volume;
  machine.volume = undefined;
}

export function attachVolume(stage: Stage, machine: ManagedMachine): void {
  if (machine.volume !== undefined || stage.detached === undefined) return;
  stage.schedule.note(`${machine.name} gets the volume of ${stage.detached.member}`);
  machine.volume = stage.detached;
  stage.detached = undefined;
}

function setClock(stage: Stage, machine: ManagedMachine, random: Random): void {
  machine.skewMs = random.pick([0, 100 * DAY_MS, -100 * DAY_MS, HOUR_MS]);
  stage.schedule.note(`the clock of ${machine.name} is set`);
}

function letTimePass({ schedule }: Stage, _: ManagedMachine, random: Random): void {
  schedule.note('all machines sleep for a while');
  schedule.leap(random.pick([60_000, HOUR_MS / 3, HOUR_MS]));
}

async function askForBackup(stage: Stage): Promise<void> {
  stage.schedule.note('somebody asks for a backup');
  await writeCommand(stage.store, BACKUP_PATH, { action: 'backup' }, stage.wallMs());
}

async function askForRestore(stage: Stage, _: ManagedMachine, random: Random): Promise<void> {
  const backups = await listBackups(stage.store, BACKUP_PATH);
  if (backups.length === 0) return;
  const backup = random.pick(backups).name;
  if (random.chance(0.3)) await forgetFacts(stage, backup);
  stage.schedule.note(`somebody asks for a restore of ${backup}`);
  const clusterSpec = { memberCount: 3, etcdVersion: '3.5.30' };
  await writeCommand(stage.store, BACKUP_PATH, { action: 'restore-backup', backup, clusterSpec }, stage.wallMs());
}

/** Makes it a backup of kops, which records neither its revision nor why it was taken. */
async function forgetFacts({ promises, schedule, store }: Stage, backup: string): Promise<void> {
  if (!promises.mayBeRemoved(backup)) return;
  schedule.note(`${backup} is one of kops`);
  await store.delete(`${BACKUP_PATH}/${backup}/${BACKUP_FACTS}`);
}
