import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureContainerImages, findContainerImages } from '../image/container-images.ts';
import { DEFAULT_IMAGE_CACHE } from '../image/image.ts';
import type { ContainerImages } from '../image/wanted-images.ts';
import { type InotifyLimit, inotifyEnv, openInotifyLimit } from '../preflight/inotify-limit.ts';
import { clusterPaths, DEFAULT_DIR, machinePaths } from '../records/cluster-paths.ts';
import {
  type ClusterState,
  clusterStateSchema,
  type MachineSpec,
  type MachineView,
  machineViewSchema,
  type NetworkRecord,
  type VolumeSpec,
  type VolumeView,
  volumeViewSchema,
} from '../records/records.ts';
import type { MachineAction } from './api-server.ts';
import { callSupervisor } from './call-supervisor.ts';
import type { ClusterHost } from './cluster-host.ts';
import { describeCluster, type LocalDescription } from './describe-cluster.ts';
import { ensureSupervisor, rolesOf, type SupervisorOptions } from './ensure-supervisor.ts';
import { otherStore, requireOwn } from './own-cluster.ts';
import { removePart } from './remove-part.ts';
import { execArgv, execInMachine, type ExecOptions, type ExecResult } from './run-in-machine.ts';
import { shutDown } from './shut-down.ts';

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

/** A local cluster as the host sees it. Reading never starts anything. */
export interface LocalCloud {
  readonly cluster: string;
  /** Undefined while there is no such cluster. @throws PermanentError if the one of that name belongs to another store */
  describe(signal?: AbortSignal): Promise<LocalDescription | undefined>;
  /** The same, but undefined if the cluster of that name belongs to another store. */
  describeOwn(signal?: AbortSignal): Promise<LocalDescription | undefined>;
  /** Resolves when there is a newer revision, or after a minute. */
  watch(after: string, signal?: AbortSignal): Promise<ClusterState>;
  /** Waits until the state of the cluster satisfies `is`. */
  waitUntil(is: (state: ClusterState) => boolean, signal: AbortSignal): Promise<ClusterState>;
  /** Builds the image if it is missing, and starts the supervisor if it does not run. */
  ensureSupervisor(options: SupervisorOptions, signal?: AbortSignal): Promise<NetworkRecord>;
  /** The folder with these images on this computer, if it has been made. */
  findContainerImages(wanted: ContainerImages): Promise<string | undefined>;
  /** Imports the images if that has not been done, and returns their folder. */
  ensureContainerImages(wanted: ContainerImages, signal?: AbortSignal): Promise<string>;
  createMachine(spec: MachineSpec, signal?: AbortSignal): Promise<MachineView>;
  startMachine(name: string, signal?: AbortSignal): Promise<void>;
  /** Shuts a machine down, and kills it if that takes longer than `withinMs`; by default 20 seconds. */
  stopMachine(name: string, signal?: AbortSignal, withinMs?: number): Promise<void>;
  rebootMachine(name: string, signal?: AbortSignal): Promise<void>;
  terminateMachine(name: string, signal?: AbortSignal): Promise<void>;
  /** Notes that a machine has become what this user data would make. */
  renewMachine(name: string, userData: string, signal?: AbortSignal): Promise<void>;
  createVolume(spec: VolumeSpec, signal?: AbortSignal): Promise<VolumeView>;
  deleteVolume(name: string, signal?: AbortSignal): Promise<void>;
  /** The last part of the console output of a machine. */
  console(name: string, maxBytes?: number): Promise<string>;
  /** Runs a command inside a machine, as root. */
  exec(name: string, argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** A command line that runs `argv` inside a machine, for callers that attach a terminal. */
  execArgv(name: string, argv: readonly string[], signal?: AbortSignal): Promise<readonly string[]>;
  /** Terminates every machine, deletes every volume and removes everything else of the cluster. */
  shutdown(): Promise<void>;
  /** The same, but does nothing if the cluster of that name belongs to another store. */
  shutdownOwn(): Promise<void>;
}

const CONSOLE_TAIL_BYTES = 64 * 1024;

export function openLocalCloud(options: LocalCloudOptions): LocalCloud {
  const { cluster, dir = DEFAULT_DIR, say = () => undefined } = options;
  const host: ClusterHost = {
    cluster,
    storeUrl: options.storeUrl,
    dir,
    imageCache: options.imageCache ?? DEFAULT_IMAGE_CACHE,
    command: options.command ?? [process.execPath, join(import.meta.dirname, 'supervisor-main.ts')],
    paths: clusterPaths(dir, cluster),
    say,
  };
  const inotify = openInotifyLimit(inotifyEnv(cluster, say));
  return {
    cluster,
    ensureSupervisor: (wanted, signal) => ensureSupervisor({ ...host, inotify }, wanted, signal),
    findContainerImages: (wanted) => findContainerImages(host.imageCache, wanted),
    ensureContainerImages: (wanted, signal) => ensureContainerImages(host.imageCache, wanted, signal),
    ...clusterState(host),
    ...machines(host, inotify),
    ...volumes(host),
    ...insideMachines(host),
    shutdown: () => shutDown(host),
    shutdownOwn: async () => {
      if ((await otherStore(host)) === undefined) await shutDown(host);
    },
  };
}

function clusterState(host: ClusterHost): Pick<LocalCloud, 'describe' | 'describeOwn' | 'watch' | 'waitUntil'> {
  const read = async (path: string, signal: AbortSignal | undefined): Promise<ClusterState> =>
    clusterStateSchema.parse(await callSupervisor(host, 'GET', path, { signal }));
  const watch = (after: string, signal?: AbortSignal) => read(`/v1/state?after=${encodeURIComponent(after)}`, signal);
  return {
    describe: (signal) => describeCluster(host, signal),
    describeOwn: async (signal) => ((await otherStore(host)) === undefined ? describeCluster(host, signal) : undefined),
    watch,
    async waitUntil(is, signal) {
      let state = await read('/v1/state', signal);
      while (!is(state)) state = await watch(state.revision, signal);
      return state;
    },
  };
}

function machines(
  host: ClusterHost,
  inotify: InotifyLimit,
): Pick<
  LocalCloud,
  'createMachine' | 'startMachine' | 'stopMachine' | 'rebootMachine' | 'terminateMachine' | 'renewMachine'
> {
  const act = async (
    name: string,
    action: MachineAction | 'stop',
    signal: AbortSignal | undefined,
    body?: unknown,
  ): Promise<void> => {
    await callSupervisor(host, 'POST', `/v1/machines/${encodeURIComponent(name)}/${action}`, { signal, body });
  };
  return {
    async createMachine(spec, signal) {
      await inotify.makeRoomFor(rolesOf([spec]));
      return machineViewSchema.parse(await callSupervisor(host, 'POST', '/v1/machines', { body: spec, signal }));
    },
    async startMachine(name, signal) {
      const known = (await describeCluster(host, signal))?.machines ?? [];
      await inotify.makeRoomFor(rolesOf(known.filter((machine) => machine.name === name)));
      await act(name, 'start', signal);
    },
    stopMachine: (name, signal, withinMs) => act(name, 'stop', signal, { withinMs }),
    rebootMachine: (name, signal) => act(name, 'reboot', signal),
    async renewMachine(name, userData, signal) {
      const path = `/v1/machines/${encodeURIComponent(name)}/user-data`;
      await callSupervisor(host, 'PUT', path, { body: { userData }, signal });
    },
    terminateMachine: (name, signal) => {
      const { record, root } = machinePaths(host.paths, name);
      // Without its record it is not a machine.
      return removePart(host, () => act(name, 'terminate', signal), [record, root]);
    },
  };
}

function volumes(host: ClusterHost): Pick<LocalCloud, 'createVolume' | 'deleteVolume'> {
  return {
    async createVolume(spec, signal) {
      return volumeViewSchema.parse(await callSupervisor(host, 'POST', '/v1/volumes', { body: spec, signal }));
    },
    deleteVolume: (name, signal) => {
      const folder = join(host.paths.volumes, name);
      const ask = () => callSupervisor(host, 'DELETE', `/v1/volumes/${encodeURIComponent(name)}`, { signal });
      return removePart(host, ask, [join(folder, 'volume.json'), folder]);
    },
  };
}

function insideMachines(host: ClusterHost): Pick<LocalCloud, 'console' | 'exec' | 'execArgv'> {
  return {
    async console(name, maxBytes = CONSOLE_TAIL_BYTES) {
      await requireOwn(host);
      return readTail(machinePaths(host.paths, name).console, maxBytes);
    },
    exec: (name, argv, options) => execInMachine(host, name, argv, options),
    execArgv: (name, argv, signal) => execArgv(host, name, argv, signal),
  };
}

async function readTail(path: string, maxBytes: number): Promise<string> {
  if (!existsSync(path)) return '';
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const start = Math.max(0, size - maxBytes);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  return buffer.subarray(0, bytesRead).toString('utf8');
}
