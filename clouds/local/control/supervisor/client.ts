import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { execa } from 'execa';
import { z } from 'zod';
import type { MachineAction } from './api-server.ts';
import { DEFAULT_DIR, clusterPaths, machinePaths } from '../records/cluster-paths.ts';
import { continueWhenStopped } from '../processes/continue-stopped.ts';
import { collectClusterGarbage } from './collect-garbage.ts';
import { initOf, livingHolder, startTimeOf } from './holder.ts';
import { DEFAULT_IMAGE_CACHE, ensureImage } from '../image/image.ts';
import { readJsonFile, readRecords, writeJsonFile } from '../records/json-file.ts';
import { inotifyEnv, openInotifyLimit } from '../preflight/inotify-limit.ts';
import type { WantedMachines } from '../preflight/inotify.ts';
import { preflight } from '../preflight/preflight.ts';
import { isSameStore } from '../records/same-store.ts';
import {
  type ClusterState,
  type MachineSpec,
  type MachineView,
  type NetworkRecord,
  type VolumeSpec,
  type VolumeView,
  clusterStateSchema,
  machineRecordSchema,
  machineViewSchema,
  networkRecordSchema,
  volumeSpecSchema,
  volumeViewSchema,
} from '../records/records.ts';
import { socketRequest } from './socket-request.ts';
import { listenOnHost, portOf, startSupervisor } from './start-supervisor.ts';

export interface LocalCloudOptions {
  readonly cluster: string;
  /**
   * The state store whose cluster this is. Machines of a cluster of that name that belong to another store are never
   * touched. Without it, the machines of that name are ours whichever store they belong to.
   */
  readonly storeUrl?: string;
  /** The folder of local clusters; by default /var/lib/kopsctl/local. */
  readonly dir?: string;
  /** The folder of images; by default /var/cache/kopsctl/images. */
  readonly imageCache?: string;
  /** The command that calls runSupervisor with the arguments that follow; by default the one of this source tree. */
  readonly command?: readonly string[];
  /** Called with a sentence about each step that takes long. */
  readonly say?: (line: string) => void;
}

export interface SupervisorOptions {
  readonly networkCidr: string;
  /** A file:// store: machines cannot reach any other. */
  readonly storeUrl: string;
  readonly assetsDir: string;
  /** The port of the Kubernetes API on 127.0.0.1: any free port at first, the same port from then on. */
  readonly port?: number;
}

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The state of a local cluster, with or without a running supervisor. */
export interface LocalDescription extends ClusterState {
  readonly isRunning: boolean;
}

/** A local cluster as the host sees it. Reading never starts anything. */
export interface LocalCloud {
  readonly cluster: string;
  /** Undefined while there is no such cluster. @throws PermanentError where the one of that name belongs to another store */
  describe(signal?: AbortSignal): Promise<LocalDescription | undefined>;
  /** The same, and undefined too where the cluster of that name belongs to another store: nothing of it is ours. */
  describeOwn(signal?: AbortSignal): Promise<LocalDescription | undefined>;
  /** Resolves when there is a newer revision, or after a minute. */
  watch(after: string, signal?: AbortSignal): Promise<ClusterState>;
  /** Waits until the state of the cluster satisfies `is`. */
  waitUntil(is: (state: ClusterState) => boolean, signal: AbortSignal): Promise<ClusterState>;
  /** Builds the image if it is missing, and starts the supervisor if it does not run. */
  ensureSupervisor(options: SupervisorOptions, signal?: AbortSignal): Promise<NetworkRecord>;
  createMachine(spec: MachineSpec, signal?: AbortSignal): Promise<MachineView>;
  startMachine(name: string, signal?: AbortSignal): Promise<void>;
  stopMachine(name: string, signal?: AbortSignal): Promise<void>;
  rebootMachine(name: string, signal?: AbortSignal): Promise<void>;
  terminateMachine(name: string, signal?: AbortSignal): Promise<void>;
  createVolume(spec: VolumeSpec, signal?: AbortSignal): Promise<VolumeView>;
  deleteVolume(name: string, signal?: AbortSignal): Promise<void>;
  /** The last part of the console output of a machine. */
  console(name: string, maxBytes?: number): Promise<string>;
  /** Runs a command inside a machine, as root. */
  exec(
    name: string,
    argv: readonly string[],
    options?: { readonly signal?: AbortSignal; readonly input?: string },
  ): Promise<ExecResult>;
  /** A command line that runs `argv` inside a machine, for callers that attach a terminal. */
  execArgv(name: string, argv: readonly string[], signal?: AbortSignal): Promise<readonly string[]>;
  /** Terminates every machine, deletes every volume and removes everything else of the cluster. */
  shutdown(): Promise<void>;
  /** The same, and nothing where the cluster of that name belongs to another store. */
  shutdownOwn(): Promise<void>;
}

const CONSOLE_TAIL_BYTES = 64 * 1024;
/** A holder that is asked to end takes milliseconds. */
const HOLDER_GONE_WITHIN_MS = 5000;

export function openLocalCloud(options: LocalCloudOptions): LocalCloud {
  const {
    cluster,
    storeUrl: ours,
    dir = DEFAULT_DIR,
    imageCache = DEFAULT_IMAGE_CACHE,
    say = () => undefined,
  } = options;
  const paths = clusterPaths(dir, cluster);
  const command = options.command ?? [process.execPath, join(import.meta.dirname, 'supervisor-main.ts')];

  /** The store whose cluster has that name here, where it is not ours. */
  const otherStore = async (): Promise<string | undefined> => {
    if (ours === undefined) return undefined;
    const record = await readJsonFile(paths.network, networkRecordSchema);
    return record === undefined || (await isSameStore(record.storeUrl, ours)) ? undefined : record.storeUrl;
  };
  const requireOwn = async (): Promise<void> => {
    const other = await otherStore();
    if (ours !== undefined && other !== undefined) throw ofOtherStore(cluster, other, ours);
  };
  const inotify = openInotifyLimit(inotifyEnv(cluster, say));

  const call = async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> => {
    await requireOwn();
    try {
      return await socketRequest(paths.socket, method, path, { body, signal });
    } catch (error) {
      if (!isAway(error)) throw error;
      throw new ActionableError({
        what: `reach the local cluster ${cluster}`,
        why: `no supervisor answers at ${paths.socket}`,
        next: '`kopsctl apply` starts it again',
        cause: error,
      });
    }
  };
  const act = async (name: string, action: MachineAction, signal?: AbortSignal): Promise<void> => {
    await call('POST', `/v1/machines/${encodeURIComponent(name)}/${action}`, undefined, signal);
  };

  /** Asks the supervisor; where none lives, nothing runs, and what it would remove are files. */
  const orWhereNothingRuns = async (ask: () => Promise<void>, files: readonly string[]): Promise<void> => {
    await requireOwn();
    if ((await livingHolder(paths)) !== undefined) return ask();
    await collectClusterGarbage(dir, cluster);
    for (const file of files) await rm(file, { recursive: true, force: true });
  };

  const cloud: LocalCloud = {
    cluster,

    async describe(signal) {
      await requireOwn();
      try {
        const state = clusterStateSchema.parse(await socketRequest(paths.socket, 'GET', '/v1/state', { signal }));
        return { ...state, isRunning: true };
      } catch (error) {
        if (!isAway(error)) throw error;
      }
      const network = await readJsonFile(paths.network, networkRecordSchema);
      if (network === undefined) return undefined;
      const machines = await readRecords(paths.machines, 'machine.json', machineRecordSchema);
      const volumes = await readRecords(paths.volumes, 'volume.json', volumeSpecSchema);
      return {
        isRunning: false,
        revision: 'stopped',
        network,
        machines: [...machines.values()].map((machine) => ({ ...machine, state: 'stopped', boots: 0 })),
        volumes: [...volumes.values()],
      };
    },

    describeOwn: async (signal) => ((await otherStore()) === undefined ? cloud.describe(signal) : undefined),

    async watch(after, signal) {
      return clusterStateSchema.parse(
        await call('GET', `/v1/state?after=${encodeURIComponent(after)}`, undefined, signal),
      );
    },

    async waitUntil(is, signal) {
      let state = clusterStateSchema.parse(await call('GET', '/v1/state', undefined, signal));
      while (!is(state)) state = await cloud.watch(state.revision, signal);
      return state;
    },

    async ensureSupervisor({ networkCidr, storeUrl, assetsDir, port }, signal) {
      if (!storeUrl.startsWith('file://')) throw unreachableStore(storeUrl);
      const found = await cloud.describe(signal);
      if (found !== undefined && found.network.cidr !== networkCidr) throw otherCidr(found.network.cidr, networkCidr);
      if (found?.isRunning !== true) {
        const resumed = found === undefined || found.machines.length === 0 ? {} : { machines: rolesOf(found.machines) };
        await preflight({ dir, imageCache, cluster, packages: true, ...resumed });
        await inotify.makeRoomFor(rolesOf(found?.machines ?? []));
      }
      const layers = [...(await ensureImage(imageCache, say, signal))];
      const options = { cidr: networkCidr, storeUrl, assetsDir, layers };
      if (found?.isRunning === true) {
        const network = { ...found.network, ...options };
        if (JSON.stringify(network) !== JSON.stringify(found.network))
          await call('PUT', '/v1/network', options, signal);
        return network;
      }
      await collectClusterGarbage(dir, cluster);
      const hostPort = await listenOnHost(found?.network.apiPort ?? port ?? 0);
      const network = { ...options, apiPort: portOf(hostPort) };
      await writeJsonFile(paths.network, network);
      await startSupervisor(paths, [...command, '--dir', dir, '--cluster', cluster], hostPort);
      return network;
    },

    async createMachine(spec, signal) {
      await inotify.makeRoomFor(rolesOf([spec]));
      return machineViewSchema.parse(await call('POST', '/v1/machines', spec, signal));
    },
    async startMachine(name, signal) {
      const machines = (await cloud.describe(signal))?.machines ?? [];
      await inotify.makeRoomFor(rolesOf(machines.filter((machine) => machine.name === name)));
      await act(name, 'start', signal);
    },
    stopMachine: (name, signal) => act(name, 'stop', signal),
    rebootMachine: (name, signal) => act(name, 'reboot', signal),
    terminateMachine: (name, signal) =>
      orWhereNothingRuns(
        () => act(name, 'terminate', signal),
        // Without its record it is no machine.
        [machinePaths(paths, name).record, machinePaths(paths, name).root],
      ),

    async createVolume(spec, signal) {
      return volumeViewSchema.parse(await call('POST', '/v1/volumes', spec, signal));
    },
    deleteVolume: (name, signal) =>
      orWhereNothingRuns(
        async () => void (await call('DELETE', `/v1/volumes/${encodeURIComponent(name)}`, undefined, signal)),
        [join(paths.volumes, name, 'volume.json'), join(paths.volumes, name)],
      ),

    async console(name, maxBytes = CONSOLE_TAIL_BYTES) {
      await requireOwn();
      return readTail(machinePaths(paths, name).console, maxBytes);
    },

    async execArgv(name, argv, signal) {
      const holder = await livingHolder(paths);
      const path = `/v1/machines/${encodeURIComponent(name)}/exec`;
      const inside = z.object({ argv: z.array(z.string()) }).parse(await call('POST', path, argv, signal));
      if (holder === undefined) throw new Error(`${paths.holder} does not name the supervisor that answers`);
      const target = String(await initOf(holder));
      return ['nsenter', '--target', target, '--mount', '--net', '--pid', '--ipc', '--uts', '--wd', ...inside.argv];
    },

    async exec(name, argv, { signal, input } = {}) {
      const [file = '', ...args] = await cloud.execArgv(name, argv, signal);
      const running = execa(file, args, {
        reject: false,
        killSignal: 'SIGKILL',
        ...(input === undefined ? { stdin: 'ignore' } : { input }),
        ...(signal === undefined ? {} : { cancelSignal: signal }),
      });
      const { exitCode, stdout, stderr } = await running.finally(continueWhenStopped(running.pid));
      signal?.throwIfAborted();
      return { exitCode: exitCode ?? 255, stdout, stderr };
    },

    async shutdown() {
      await requireOwn();
      const holder = await livingHolder(paths);
      if (holder !== undefined) {
        // A supervisor that does not respond is killed, which also ends everything it runs.
        await socketRequest(paths.socket, 'POST', '/v1/shutdown').catch((error: unknown) => {
          if (!isAway(error)) throw error;
          process.kill(holder.pid, 'SIGKILL');
        });
        const deadline = Date.now() + HOLDER_GONE_WITHIN_MS;
        while ((await startTimeOf(holder.pid)) === holder.startTime) {
          if (Date.now() > deadline) process.kill(holder.pid, 'SIGKILL');
          await sleep(10);
        }
      }
      await collectClusterGarbage(dir, cluster);
      // The record of whose cluster this is goes last, so that a removal that was cut off can be repeated.
      for (const folder of [paths.machines, paths.volumes, paths.root]) {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },

    async shutdownOwn() {
      if ((await otherStore()) === undefined) await cloud.shutdown();
    },
  };
  return cloud;

  function otherCidr(has: string, wanted: string): ActionableError {
    return new ActionableError({
      what: `change the network of the local cluster ${cluster} from ${has} to ${wanted}`,
      why: 'its machines keep their addresses for life',
      next: `set spec.networkCIDR back to ${has}, or delete the cluster and apply it again`,
    });
  }
}

/** Names of clusters are unique on a computer: the machines of that name are those of another state store's cluster. */
function ofOtherStore(cluster: string, theirs: string, ours: string): PermanentError {
  return new PermanentError({
    what: `use the machines of ${cluster} on this computer`,
    why: `they belong to the cluster of that name in ${theirs}, not to the one in ${ours}`,
    next: `repeat with --state ${theirs}, or choose another name; where that store was moved, leave a symbolic link in its old place`,
  });
}

const rolesOf = (machines: readonly Pick<MachineSpec, 'name' | 'role'>[]): WantedMachines =>
  new Map(machines.map(({ name, role }) => [name, role]));

/** Whether there is no supervisor: no socket, nothing listens on it, or the supervisor ended during the response. */
function isAway(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '');
}

function unreachableStore(storeUrl: string): ActionableError {
  return new ActionableError({
    what: `give local machines the state store ${storeUrl}`,
    why: 'their network has no way out, and only a file:// store can be passed on to them',
    next: 'use --state file:///var/lib/kopsctl/state (or another folder) for clusters with cloudProvider local',
  });
}

async function readTail(path: string, maxBytes: number): Promise<string> {
  if (!existsSync(path)) return '';
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const start = Math.max(0, size - maxBytes);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  return buffer.subarray(0, bytesRead).toString('utf8');
}
