import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { shellWord, shellWords } from '@kopsctl/node-plan/shell-word.ts';
import {
  type CgroupMount,
  createMachineGroups,
  emptyMachineGroups,
  type MachineGroups,
  processesIn,
  removeMachineGroups,
} from './cgroups.ts';
import type { MachineDriver, MachineExit, MachineStart, RunningMachine } from '../machines/machine-driver.ts';
import { DATA_FOLDERS, DROPPED_CAPABILITIES, EXIT_REBOOT, groupsOfProcess, nspawnCommand } from './nspawn-command.ts';
import { continueAllWhenStopped } from '../processes/continue-stopped.ts';
import { run } from '../processes/run.ts';

/** systemd(1): SIGRTMIN+3 starts halt.target, +4 poweroff.target, +5 reboot.target; SIGRTMIN is 34 with glibc. */
const SIGNAL_POWER_OFF = 34 + 4;
const SIGNAL_REBOOT = 34 + 5;

/** A runaway machine must not fill the process table of the host; a control plane has about 400 processes. */
const DEFAULT_PIDS_MAX = 8192;

/** Workers wait for the control plane anyway, so that it goes first when all of them start, or work hard, at once. */
const CONTROL_PLANE_CPU_WEIGHT = 4;

/** Runs machines as containers with systemd as PID 1. They are not a security boundary: run trusted code only. */
export function nspawnDriver(cluster: string, mounts: readonly CgroupMount[]): MachineDriver {
  return {
    async start(machine, onConsole) {
      const { record, paths } = machine;
      for (const folder of [
        paths.upper,
        paths.work,
        paths.mountPoint,
        ...DATA_FOLDERS.map((name) => join(paths.data, name)),
      ]) {
        await mkdir(folder, { recursive: true, mode: 0o755 });
      }
      const groups = await createMachineGroups(mounts, cluster, record.name, {
        memoryMaxBytes: record.memoryMaxBytes,
        pidsMax: record.pidsMax ?? DEFAULT_PIDS_MAX,
        cpuWeight: record.role === 'ControlPlane' ? CONTROL_PLANE_CPU_WEIGHT : 1,
      });
      await emptyMachineGroups(groups);
      const command = nspawnCommand(machine, mounts, groups);
      return runningMachine(machine, mounts, groups, command, onConsole);
    },
    async release(machine: MachineStart) {
      await removeMachineGroups(mounts, cluster, machine.record.name);
    },
  };
}

function runningMachine(
  { record }: MachineStart,
  mounts: readonly CgroupMount[],
  groups: MachineGroups,
  [command = '', ...args]: readonly string[],
  onConsole: (chunk: Buffer) => void,
): RunningMachine {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' });
  const exited = new Promise<MachineExit>((resolve) => {
    child.on('error', (error) => resolve({ kind: 'failure', why: error.message }));
    child.once('close', (code, signal) => resolve(exitOf(code, signal)));
  });
  // Node.js 24: without them if this process has too many open files, which is told by an error after this.
  const outputs: readonly (Readable | undefined)[] = [child.stdout, child.stderr];
  for (const output of outputs) output?.on('data', onConsole);
  const pid = (): number => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) throw notRunning(record.name);
    return child.pid;
  };
  return {
    exited,
    async powerOff() {
      process.kill(await leaderOf(pid(), record.name), SIGNAL_POWER_OFF);
      // The machine is down only when those who entered it have waited for their commands, however they were called.
      void exited.then(continueAllWhenStopped(() => enteredBy(groups)));
    },
    async reboot() {
      process.kill(await leaderOf(pid(), record.name), SIGNAL_REBOOT);
    },
    kill() {
      child.kill('SIGKILL');
    },
    async execArgv(argv) {
      return execArgv(await leaderOf(pid(), record.name), mounts, argv);
    },
    async addDevice(name, link, major, minor) {
      // Created inside the machine by its own mknod: resolving its paths from here would follow its symbolic links into
      // the host.
      const device = shellWord(`/dev/${name}`);
      const script = `rm -f ${device} && mknod ${device} b ${major} ${minor} && mkdir -p /dev/disk/by-id && ln -sfn ../../${shellWord(name)} ${shellWord(`/dev/disk/by-id/${link}`)}`;
      const [command = '', ...args] = await execArgv(await leaderOf(pid(), record.name), mounts, ['sh', '-c', script]);
      await run(`show the device /dev/${name} to the machine ${record.name}`, command, args);
    },
    async removeDevice(name, link) {
      const script = `rm -f ${shellWord(`/dev/disk/by-id/${link}`)} ${shellWord(`/dev/${name}`)}`;
      const [command = '', ...args] = await execArgv(await leaderOf(pid(), record.name), mounts, ['sh', '-c', script]);
      await run(`take the device /dev/${name} from the machine ${record.name}`, command, args);
    },
  };
}

function exitOf(code: number | null, signal: NodeJS.Signals | null): MachineExit {
  if (code === EXIT_REBOOT) return { kind: 'reboot' };
  if (code === 0) return { kind: 'power-off' };
  return { kind: 'failure', why: signal === null ? `systemd-nspawn ended with status ${code}` : `ended by ${signal}` };
}

/** The processes by which commands entered a machine: they are in its groups, and outside of its namespace of processes. */
async function enteredBy({ machine: [group = ''] }: MachineGroups): Promise<readonly number[]> {
  const all = await processesIn(group);
  const names = await Promise.all(all.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  return all.filter((_, index) => names[index] === 'nsenter\n');
}

/**
 * With nsenter alone, the command would keep the rights of this process, such as setting the host's clock, so they are
 * dropped first. The command joins the cgroups of the machine's PID 1, and is killed when its caller ends.
 */
async function execArgv(
  leader: number,
  mounts: readonly CgroupMount[],
  argv: readonly string[],
): Promise<readonly string[]> {
  const groups = groupsOfProcess(await readFile(`/proc/${leader}/cgroup`, 'utf8'), mounts);
  const dropped = DROPPED_CAPABILITIES.map((name) => `-${name}`).join(',');
  const drop = ['setpriv', '--pdeathsig', 'KILL', `--bounding-set=${dropped}`];
  const enter = ['nsenter', '--target', String(leader), '--all', '--wd'];
  const command = shellWords([...drop, ...enter, 'setpriv', '--pdeathsig', 'KILL', ...argv]);
  const join = groups.map((group) => `echo 0 > ${shellWord(`${group}/cgroup.procs`)}`);
  return ['sh', '-c', [...join, `exec ${command}`].join(' && ')];
}

/** How long systemd-nspawn may take to start systemd. */
const LEADER_WITHIN_MS = 10_000;

/** The PID of the machine's PID 1 in this PID namespace. */
async function leaderOf(keeper: number, name: string): Promise<number> {
  const deadline = Date.now() + LEADER_WITHIN_MS;
  for (;;) {
    const [nspawn] = await childrenOf(keeper);
    for (const candidate of nspawn === undefined ? [] : await childrenOf(nspawn)) {
      if (await isInit(candidate)) return candidate;
    }
    if (Date.now() > deadline) throw notRunning(name);
    await sleep(50);
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readProc(`/proc/${pid}/task/${pid}/children`);
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** Whether a process is PID 1 of its namespace and has become systemd, which means that /dev exists. */
async function isInit(pid: number): Promise<boolean> {
  const status = await readProc(`/proc/${pid}/status`);
  return /^NSpid:.*\s1$/m.test(status) && /^Name:\tsystemd$/m.test(status);
}

async function readProc(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}

function notRunning(name: string): ActionableError {
  return new ActionableError({
    what: `reach the machine ${name}`,
    why: 'it is not running',
    next: `look at its console with \`kopsctl toolbox console ${name}\``,
  });
}
