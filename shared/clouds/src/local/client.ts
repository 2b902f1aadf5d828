import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';
import { z } from 'zod';
import type { MachineAction } from './api-server.ts';
import { DEFAULT_DIR, clusterPaths, machinePaths } from './cluster-paths.ts';
import { continueWhenStopped } from './continue-stopped.ts';
import { collectClusterGarbage } from './gc.ts';
import { initOf, livingHolder, startTimeOf } from './holder.ts';
import { DEFAULT_IMAGE_CACHE, ensureImage } from './image.ts';
import { readJsonFile, readRecords, writeJsonFile } from './json-file.ts';
import { preflight } from './preflight.ts';
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
} from './records.ts';
import { socketRequest } from './socket-request.ts';
import { listenOnHost, portOf, startSupervisor } from './start-supervisor.ts';

export interface LocalCloudOptions {
  readonly cluster: string;
  /** Where clusters keep their state; /var/lib/kopsctl/local unless told otherwise. */
  readonly dir?: string;
  /** Where images are kept; /var/cache/kopsctl/images unless told otherwise. */
  readonly imageCache?: string;
  /** The command that calls runSupervisor with the arguments after it; unless told otherwise, this source tree's own. */
  readonly command?: readonly string[];
  /** Told in a sentence what takes long. */
  readonly say?: (line: string) => void;
}

export interface SupervisorOptions {
  readonly networkCidr: string;
  /** A file:// store: machines have no way out to any other. */
  readonly storeUrl: string;
  readonly assetsDir: string;
  /** Port of the Kubernetes API on 127.0.0.1; any free one the first time, afterwards always the same. */
  readonly port?: number;
}

export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A local cluster's state, whether its supervisor runs or not. */
export interface LocalDescription extends ClusterState {
  readonly isRunning: boolean;
}

/** The host side of a local cluster. Reading never starts anything. */
export interface LocalCloud {
  readonly cluster: string;
  /** Undefined while there is no such cluster. */
  describe(signal?: AbortSignal): Promise<LocalDescription | undefined>;
  /** Resolves when something newer than the revision exists, or after a minute. */
  watch(after: string, signal?: AbortSignal): Promise<ClusterState>;
  /** Waits until `is` holds of the cluster's state. */
  waitUntil(is: (state: ClusterState) => boolean, signal: AbortSignal): Promise<ClusterState>;
  /** Makes the image when there is none, and starts the supervisor when none runs. */
  ensureSupervisor(options: SupervisorOptions, signal?: AbortSignal): Promise<NetworkRecord>;
  createMachine(spec: MachineSpec, signal?: AbortSignal): Promise<MachineView>;
  startMachine(name: string, signal?: AbortSignal): Promise<void>;
  stopMachine(name: string, signal?: AbortSignal): Promise<void>;
  rebootMachine(name: string, signal?: AbortSignal): Promise<void>;
  terminateMachine(name: string, signal?: AbortSignal): Promise<void>;
  createVolume(spec: VolumeSpec, signal?: AbortSignal): Promise<VolumeView>;
  deleteVolume(name: string, signal?: AbortSignal): Promise<void>;
  /** The end of what a machine wrote to its console. */
  console(name: string, maxBytes?: number): Promise<string>;
  /** Runs a command inside a machine, as its root. */
  exec(
    name: string,
    argv: readonly string[],
    options?: { readonly signal?: AbortSignal; readonly input?: string },
  ): Promise<ExecResult>;
  /** A command line that runs `argv` inside a machine, for a caller that wires up a terminal itself. */
  execArgv(name: string, argv: readonly string[], signal?: AbortSignal): Promise<readonly string[]>;
  /** Terminates every machine, deletes every volume and removes all trace of the cluster. */
  shutdown(): Promise<void>;
}

const CONSOLE_TAIL_BYTES = 64 * 1024;
/** A holder that was told to end takes milliseconds. */
const HOLDER_GONE_WITHIN_MS = 5000;

export function openLocalCloud(options: LocalCloudOptions): LocalCloud {
  const { cluster, dir = DEFAULT_DIR, imageCache = DEFAULT_IMAGE_CACHE, say = () => undefined } = options;
  const paths = clusterPaths(dir, cluster);
  const command = options.command ?? [process.execPath, join(import.meta.dirname, 'supervisor-main.ts')];

  const call = async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> => {
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

  const cloud: LocalCloud = {
    cluster,

    async describe(signal) {
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
      if (found?.isRunning !== true) await preflight({ dir, imageCache, packages: true });
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
      return machineViewSchema.parse(await call('POST', '/v1/machines', spec, signal));
    },
    startMachine: (name, signal) => act(name, 'start', signal),
    stopMachine: (name, signal) => act(name, 'stop', signal),
    rebootMachine: (name, signal) => act(name, 'reboot', signal),
    terminateMachine: (name, signal) => act(name, 'terminate', signal),

    async createVolume(spec, signal) {
      return volumeViewSchema.parse(await call('POST', '/v1/volumes', spec, signal));
    },
    async deleteVolume(name, signal) {
      await call('DELETE', `/v1/volumes/${encodeURIComponent(name)}`, undefined, signal);
    },

    async console(name, maxBytes = CONSOLE_TAIL_BYTES) {
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
      const holder = await livingHolder(paths);
      if (holder !== undefined) {
        // One that does not answer is killed below, which ends all it runs just as well.
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
      await rm(paths.root, { recursive: true, force: true, maxRetries: 5 });
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

/** No supervisor: no socket, nobody at it, or it ended while it answered. */
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
