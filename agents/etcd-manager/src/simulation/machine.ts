import { createHash } from 'node:crypto';
import type { ApiServer } from '@kopsctl/agent/api-server.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Clock } from '../clock.ts';
import type { EtcdClient } from '../etcd/client.ts';
import type { Etcds } from '../etcd/etcds.ts';
import { memberHost, memberName, peerUrl } from '../etcd/settings.ts';
import type { OwnMachine } from '../own-machine.ts';
import type { RestoreMachine } from '../restore/restore-machine.ts';
import { identityOf } from '../units/unit-runner.ts';
import { readContent, storeContent } from './backups.ts';
import { revisionOf, type EtcdData, type SimulatedEtcd } from './simulated-etcd.ts';

/** What a volume has for one cluster token. */
interface TokenFolder {
  firstStart?: string;
  etcd?: EtcdData;
}

/** A volume; it can move to another machine. */
export interface Volume {
  readonly member: string;
  /** The members that protokube wrote on it. */
  members: readonly string[];
  folders: Map<string, TokenFolder>;
}

/** A control-plane machine, without its manager. */
export interface Machine {
  /** Also its address. */
  readonly name: string;
  volume: Volume | undefined;
  /** The identity of the etcd unit as it was last started. */
  unit: string | undefined;
  apiServer: { isHeld: boolean };
  isUp: boolean;
  /** How far its wall clock is off. */
  skewMs: number;
}

/** One process of a manager: its calls wait for their turn, and may fail. */
export interface ProcessView {
  /** Resolves when the call is chosen. */
  turn(): Promise<void>;
  clock: Clock;
  store: StateStore;
  /** Sometimes throws instead of returning the answer to a change of members. */
  loseAnswer(what: string): void;
  /** A member is about to be removed; once `remove` resolves, it was. */
  onRemove(id: string, remove: () => Promise<void>): Promise<void>;
}

export const BACKUP_PATH = 'demo/backups/etcd/main';

export function configOf(members: readonly string[], name: string): EtcdClusterConfig {
  return {
    name: 'main',
    mountPoint: `/mnt/${name}`,
    members,
    memberHost: 'etcd-<member>',
    clientPort: 4001,
    peerPort: 2380,
    etcdVersion: '3.5.30',
    binDir: '/opt/etcd',
    backupPath: BACKUP_PATH,
    peersCa: 'peers',
    clientsCa: 'clients',
    env: [{ name: 'ETCD_MANAGER_PATIENCE_SECONDS', value: '60' }],
  };
}

type At = <T>(look: () => T | Promise<T>) => Promise<T>;

const atOf =
  (view: ProcessView): At =>
  async (look) => {
    await view.turn();
    return look();
  };

/** The machine, as the loop of the own member looks at it. */
export function ownMachine(machine: Machine, etcd: SimulatedEtcd, view: ProcessView): OwnMachine {
  const at = atOf(view);
  const volume = volumeOf(machine);
  return {
    nowMs: () => view.clock.nowMs(),
    member: () => at(() => volume.member()),
    tokensWithLog: () =>
      at(() => [...(machine.volume?.folders ?? [])].flatMap(([token, one]) => (one.etcd === undefined ? [] : [token]))),
    etcd2Tokens: () => Promise.resolve([]),
    firstStart: (token) => at(() => machine.volume?.folders.get(token)?.firstStart),
    clusterId: (token) => at(() => machine.volume?.folders.get(token)?.etcd?.clusterId),
    dataVersion: () => Promise.resolve('3.5.0'),
    unit: () =>
      at(() => ({
        ...(machine.unit !== undefined && { identity: machine.unit }),
        isRunning: etcd.isRunning(machine.name),
      })),
    isNameKnown: () => Promise.resolve(true),
    askLocal: () => at(() => etcd.status(machine.name)),
    ask: (name) =>
      at(async () => {
        const answering = etcd.machineOf(memberHost(configOf([], name), name));
        const status = answering === undefined ? undefined : etcd.status(answering);
        if (answering === undefined || status === undefined) return undefined;
        return { status, members: await etcd.client(answering).members(new AbortController().signal) };
      }),
    keepFirstStart: (token) =>
      at(() => {
        const there = volume.folder(token);
        there.firstStart ??= `start ${token} on ${machine.name}, ${view.clock.nowMs()}`;
        return there.firstStart;
      }),
    start: (token, unit) =>
      at(() => {
        const data = volume.folder(token);
        machine.unit = identityOf(unit);
        const initialState = unit.initial['ETCD_INITIAL_CLUSTER_STATE'] ?? '';
        const initialCluster = unit.initial['ETCD_INITIAL_CLUSTER'] ?? '';
        etcd.start(machine.name, {
          token,
          peerUrl: urlOf(volume.member()?.member ?? ''),
          initialState,
          initialCluster,
          data,
        });
      }),
    setAside: (token) =>
      at(() => {
        etcd.stop(machine.name);
        machine.volume?.folders.delete(token);
      }),
    diskFault: () => Promise.resolve(undefined),
  };
}

function urlOf(member: string): string {
  return peerUrl(configOf([], member), member);
}

/** The machine, as a restore looks at it and changes it. */
export function restoreMachine(machine: Machine, etcd: SimulatedEtcd, view: ProcessView): RestoreMachine {
  const at = atOf(view);
  const volume = volumeOf(machine);
  return {
    member: () => at(() => volume.member()),
    isRunning: () => at(() => etcd.isRunning(machine.name)),
    stop: () => at(() => etcd.stop(machine.name)),
    hasDatabase: (token) => at(() => machine.volume?.folders.get(token)?.etcd !== undefined),
    tokens: () => at(() => [...(machine.volume?.folders.keys() ?? [])]),
    spareBytes: () => Promise.resolve(Number.MAX_SAFE_INTEGER),
    stoppedData: ({ restored, marker }, nowMs) =>
      at(() => {
        const others = [...(machine.volume?.folders.keys() ?? [])].filter((token) => token !== restored);
        const token = marker ?? (others.length === 1 ? others[0] : undefined);
        const data = token === undefined ? undefined : machine.volume?.folders.get(token)?.etcd;
        if (token === undefined || data === undefined || token === restored) return undefined;
        return { token, revision: revisionOf(data), at: new Date(nowMs).toISOString() };
      }),
    etcd2Data: () => Promise.resolve(undefined),
    async fetchedRevision(backup) {
      await view.turn();
      return revisionOf(await readContent(backup, BACKUP_PATH, view.store));
    },
    async restore({ backup = '', revision = 0, token, members }, name, onFetched, signal) {
      const { log } = await readContent(backup, BACKUP_PATH, view.store);
      onFetched();
      await view.turn();
      signal.throwIfAborted();
      const initialCluster = members.map((one) => `${memberName(one)}=${urlOf(one)}`).join(',');
      const content = { log, base: revision - log.length };
      volume.folder(token).etcd = etcd.restored({ token, peerUrl: urlOf(name), initialCluster }, content);
    },
    async keep({ reason }, { token, at: stoppedAt }, name) {
      await view.turn();
      const data = machine.volume?.folders.get(token)?.etcd;
      if (data === undefined) throw new Error(`there is no data of ${token}`);
      const said = { reason: `before ${reason}`, takenBy: name };
      return (await storeContent(data, Date.parse(stoppedAt), said, configOf([], name), view.store)).name;
    },
    discard: (token) => at(() => void machine.volume?.folders.delete(token)),
    setAside: (tokens) =>
      at(() => {
        for (const token of tokens) machine.volume?.folders.delete(token);
      }),
  };
}

function volumeOf(machine: Machine) {
  return {
    /** @throws when the volume is gone */
    folder(token: string): TokenFolder {
      if (machine.volume === undefined) throw new Error('the volume is not there');
      const there = machine.volume.folders.get(token) ?? {};
      machine.volume.folders.set(token, there);
      return there;
    },
    member: () =>
      machine.volume && {
        member: machine.volume.member,
        members: machine.volume.members,
        volumeId: `vol-${machine.volume.member}`,
      },
  };
}

/** All etcds, as a manager reaches them. */
export function reachedEtcds(etcd: SimulatedEtcd, view: ProcessView): Etcds {
  const ask: Etcds['ask'] = async (host, _, question) => {
    await view.turn();
    const machine = etcd.machineOf(host);
    if (machine === undefined) throw new Error(`connect ECONNREFUSED ${host}`);
    const reached = etcd.client(machine);
    const change =
      <A extends readonly unknown[]>(what: string, make: (...args: A) => Promise<void>) =>
      async (...args: A): Promise<void> => {
        await view.turn();
        await make(...args);
        view.loseAnswer(what);
      };
    const client = {
      status: (signal: AbortSignal) => reached.status(signal),
      members: (signal: AbortSignal) => reached.members(signal),
      addMember: change('add', (...to: Parameters<typeof reached.addMember>) => reached.addMember(...to)),
      removeMember: change('remove', (id: string, signal: AbortSignal) =>
        view.onRemove(id, () => reached.removeMember(id, signal)),
      ),
      promoteMember: change('promote', (id: string, signal: AbortSignal) => reached.promoteMember(id, signal)),
      moveLeader: change('move the leader', (id: string, signal: AbortSignal) => reached.moveLeader(id, signal)),
      alarms: () => Promise.resolve([]),
      leasedKeysBelow: () => Promise.resolve([]),
      countKeys: async () => {
        const data = etcd.readAt(machine);
        return { keys: data.log.length, revision: revisionOf(data) };
      },
      deleteUnchangedBelow: () => Promise.resolve(0),
    };
    // The loops that are simulated ask nothing else.
    return question(client as unknown as EtcdClient);
  };
  return {
    ask,
    async askIfThere(host, config, question, signal) {
      try {
        return await ask(host, config, question);
      } catch {
        signal.throwIfAborted();
        return undefined;
      }
    },
    async dataHash(config, member, revision) {
      await view.turn();
      const data = etcd.dataAt(memberHost(config, member));
      if (data === undefined) throw new Error(`connect ECONNREFUSED ${member}`);
      if (revision > revisionOf(data)) throw new Error('etcdserver: mvcc: required revision is a future revision');
      const writes = data.log.slice(0, Math.max(0, revision - data.base));
      return { hash: hashOf(writes), compactRevision: data.base };
    },
  };
}

function hashOf(writes: readonly number[]): number {
  return createHash('sha256').update(writes.join(' ')).digest().readUInt32BE();
}

export function apiServerOf(machine: Machine, view: ProcessView): ApiServer {
  const at = atOf(view);
  return {
    observe: () => at(() => ({ hold: machine.apiServer.isHeld ? 'held' : 'none', hasEnded: machine.apiServer.isHeld })),
    hold: () => at(() => void (machine.apiServer.isHeld = true)),
    release: () => at(() => void (machine.apiServer.isHeld = false)),
  };
}
