import { performance } from 'node:perf_hooks';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { sparingly, type GossipLog } from './gossip-log.ts';
import { keepJoined, keepLooking } from './keep-joined.ts';
import { LostMembers } from './lost-members.ts';
import type { DnsName, GossipRecord } from './records/record.ts';
import { RECORD_SETTINGS, type RecordSettings } from './records/record-map.ts';
import { ReplicatedRecords } from './records/replicated-records.ts';
import type { Effects, Endpoint, Exchange, MemberView, StreamPing, SwimEvent } from './swim/effects.ts';
import { LAN, type SwimSettings } from './swim/settings.ts';
import { SeenMessages } from './seen-messages.ts';
import { createSwim, type Input } from './swim/swim.ts';
import { Keyring } from './transport/keyring.ts';
import { askByStream, serveStreams, STREAM_TIMEOUT_MS } from './transport/tcp.ts';
import { openPacketSocket } from './transport/udp.ts';
import { addressBytes, addressText } from './wire/address.ts';
import { encodeMessage, encodePushPull } from './wire/encode-message.ts';
import type { PushPull, Versions } from './wire/message.ts';
import { Refusal } from './wire/refusal.ts';
import type { StreamMessage } from './wire/stream.ts';

/** memberlist's default port. */
export const DEFAULT_PORT = 7946;
/** memberlist protocol 2, understanding 1 to 5, with nothing built upon it that has versions of its own. */
const VERSIONS: Versions = { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 };
/** serf names have at most this many; a name has to leave room in a packet. */
const MAX_NAME_LENGTH = 128;
/** How long a good-bye may take before the peer goes without waiting any longer. */
const LEAVE_TIMEOUT_MS = 5000;

export interface GossipOptions {
  /** Names this peer among all; two machines must never have the same. */
  readonly name: string;
  /** Where it listens and where others find it, by UDP and TCP: an address of this machine. */
  readonly bindAddress: string;
  readonly port?: number;
  /** Keys of 16, 24 or 32 bytes: the first encrypts, all decrypt. Without one nothing starts. */
  readonly keys: readonly Uint8Array[];
  /** Peers to join by, asked for whenever they are needed; who is here already is left out by itself. */
  readonly seeds: () => Promise<readonly Endpoint[]>;
  /** Keeps clusters apart that happen to reach each other, e.g. the cluster's name. */
  readonly label?: string;
  readonly log: GossipLog;
  readonly settings?: SwimSettings;
  readonly recordSettings?: RecordSettings;
  readonly versions?: Versions;
  /** Up to 512 bytes that go with the member wherever it is known. */
  readonly meta?: Uint8Array;
}

/** What has happened; `records` says that what is in force has changed. */
export type GossipEvent = SwimEvent | { readonly kind: 'records' };

export interface Gossip {
  readonly name: string;
  /** All who are alive or suspected, this peer first. */
  members(): readonly MemberView[];
  /** The names in force, of all owners, in an order that is always the same. */
  records(): readonly GossipRecord[];
  /** This peer's own names are these from now on; names it had before and has no more are taken back. */
  publish(names: readonly DnsName[]): void;
  /**
   * Spreads a message of another user of this gossip; it comes once to each of the others, as an event of kind `user`.
   * It must not begin as records do (0x6b), and must differ from those said before.
   */
  say(payload: Uint8Array): void;
  /** Tells from now on what happens; the result ends that. */
  subscribe(listener: (event: GossipEvent) => void): () => void;
  /** Changes the keys; see Keyring for the order in which a cluster does that. */
  replaceKeys(keys: readonly Uint8Array[]): void;
  /** Says good-bye, so that nobody takes it for a failure, and closes. */
  leave(): Promise<void>;
  /** Stops at once and says nothing, as a crash would. */
  close(): Promise<void>;
}

/** Starts a peer. It is there once its address is its own; it joins its seeds, and joins them again whenever it lost them. */
export async function openGossip(options: GossipOptions): Promise<Gossip> {
  const { log, label = '', port = DEFAULT_PORT, name } = options;
  const own = addressBytes(options.bindAddress);
  if (
    own === undefined ||
    /^(0\.0\.0\.0|::)$/.test(options.bindAddress) ||
    name === '' ||
    name.length > MAX_NAME_LENGTH
  ) {
    throw new ActionableError({
      what: `gossip as ${name} from ${options.bindAddress}`,
      why: `a peer has a name of up to ${MAX_NAME_LENGTH} characters and one address at which others reach it`,
      next: 'give the name and an address of this machine',
    });
  }
  const keyring = new Keyring(options.keys);
  const secrecy = () => ({ keys: keyring.keys, label });
  const address = addressText(own);
  const self: Endpoint = { address, port };
  const settings = options.settings ?? LAN;
  const meta = options.meta ?? new Uint8Array();
  const config = { name, address, port, meta, versions: options.versions ?? VERSIONS, settings, label };
  // Never set back, unlike the machine's clock, and near to it, as stamps of records have to be.
  const { timeOrigin } = performance;
  const nowMs = (): number => timeOrigin + performance.now();
  const swim = createSwim(config, Math.random, nowMs());
  const listeners = new Set<(event: GossipEvent) => void>();
  const lost = new LostMembers();
  const seen = new SeenMessages();
  const warnSparingly = sparingly(log);
  const abort = new AbortController();
  let tickTimer: NodeJS.Timeout | undefined;
  let armedForMs = NaN;
  let joinsUnderWay = 0;
  let lastTurn = Promise.resolve();

  const tell = (event: GossipEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const step = (input: Input): void => {
    if (abort.signal.aborted) return;
    carryOut(swim.step(input, nowMs()));
    arm();
  };
  const records = new ReplicatedRecords({
    name,
    settings: options.recordSettings ?? RECORD_SETTINGS,
    nowMs,
    say: (about, payload, isOwn) => step({ kind: 'say', about, payload, isOwn }),
    onChange: () => tell({ kind: 'records' }),
  });
  const tick = (): void => {
    armedForMs = NaN;
    step({ kind: 'tick' });
  };
  const arm = (): void => {
    const atMs = swim.nextTickMs();
    if (atMs === armedForMs) return;
    armedForMs = atMs;
    clearTimeout(tickTimer);
    // Packets that came while this process did something else are read before their absence is judged.
    tickTimer = setTimeout(() => setImmediate(tick), Math.max(0, atMs - nowMs()));
  };
  const refused = (from: Endpoint, refusal: Refusal): void =>
    warnSparingly(refusal.reason, `refused what ${from.address} sent: ${refusal.message}`);

  const packets = await openPacketSocket(self, secrecy, {
    onMessages(from, messages) {
      const wasAlone = swim.nodes === 1;
      step({ kind: 'packet', from, messages });
      if (wasAlone) joinWhoSpeaks(from);
    },
    onRefused: refused,
    onSendError: (to, why) => warnSparingly('send', `cannot send to ${to.address}: ${why}`),
  });
  const streams = await serveStreams(self, secrecy, {
    onMessage: answer,
    onRefused: refused,
    onBroken: (from, why) => warnSparingly('stream', `a stream from ${from.address} broke off: ${why}`),
  }).catch(async (error: unknown) => {
    await packets.close();
    throw error;
  });

  function carryOut(effects: Effects): void {
    for (const packet of effects.packets) packets.send(packet);
    for (const exchange of effects.exchanges) void exchangeStates(exchange);
    for (const ping of effects.streamPings) void pingByStream(ping);
    for (const event of effects.events) hear(event);
  }

  function hear(event: SwimEvent): void {
    switch (event.kind) {
      case 'join':
      case 'leave':
      case 'fail': {
        const presence = event.kind === 'join' ? 'live' : event.kind === 'leave' ? 'gone' : 'missing';
        log.info(`member ${event.member.name} (${event.member.address}): ${event.kind}`);
        records.owner(event.member.name, presence);
        if (event.kind === 'fail') lost.failed(event.member, nowMs());
        else lost.settled(event.member);
        break;
      }
      case 'user': {
        const taken = records.takeMessage(event.payload);
        if (taken instanceof Refusal) refused(event.from, taken);
        if (taken !== 'foreign') return;
        // Whoever it is for: it comes to all only if all say it on.
        const about = seen.nameIfNew(event.payload, nowMs());
        if (about === undefined) return;
        step({ kind: 'say', about, payload: event.payload, isOwn: false });
        break;
      }
      case 'conflict':
        warnSparingly(
          `conflict ${event.member.name}`,
          `two machines call themselves ${event.member.name}: ${event.member.address} and ${event.other.address}`,
        );
        break;
      case 'packetsLost':
        warnSparingly(
          `packets ${event.member.name}`,
          `${event.member.name} answers by TCP but not by UDP: UDP port ${event.member.port} is blocked somewhere`,
        );
        break;
      case 'incompatible':
        warnSparingly('incompatible', `a peer was not taken in: ${event.why}`);
        break;
      case 'suspect':
      case 'refuted':
      case 'update':
      case 'left':
        break;
    }
    tell(event);
  }

  function ownState(join: boolean): Uint8Array {
    return encodePushPull({ kind: 'pushPull', join, nodes: swim.state(), userState: records.state() });
  }

  /**
   * That of thousands of members takes many milliseconds to write and to seal. So one is made at a time, and packets that
   * have come meanwhile are heard in between: a probe waits for half a second only.
   */
  async function ownStateInTurn(join: boolean): Promise<Uint8Array> {
    await (lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve))));
    return ownState(join);
  }

  function takeState(from: Endpoint, state: PushPull, isJoin: boolean): void {
    step({ kind: 'state', from, isJoin, nodes: state.nodes });
    const refusal = records.takeState(state.userState);
    if (refusal !== undefined) refused(from, refusal);
  }

  function answer(from: Endpoint, message: StreamMessage): Uint8Array | undefined {
    switch (message.kind) {
      case 'pushPull': {
        // The port of who asks is of this stream alone; news goes to where it listens, which is not known here.
        // Who knows nobody is taken in by this, as if it had asked itself.
        takeState(from, message, message.join && swim.nodes === 1);
        return ownState(false);
      }
      case 'ping':
        if (message.node !== '' && message.node !== name) return undefined;
        return encodeMessage({ kind: 'ack', seqNo: message.seqNo, payload: new Uint8Array() });
      case 'user':
        hear({ kind: 'user', payload: message.payload, from });
        return undefined;
      case 'err':
        warnSparingly('err', `${from.address} says: ${message.error}`);
        return undefined;
      case 'ack':
        return undefined;
    }
  }

  /** That it comes to nothing is said, unless that was to be expected. */
  async function exchangeStates({ to, isJoin }: Exchange, isExpected = true, isOwnJoin = isJoin): Promise<void> {
    if (isOwnJoin) joinsUnderWay += 1;
    try {
      const reply = await askByStream(to, () => ownStateInTurn(isJoin), secrecy(), STREAM_TIMEOUT_MS);
      if (reply.kind === 'pushPull') {
        takeState(to, reply, isOwnJoin);
        return;
      }
      const said = reply.kind === 'err' ? reply.error : `a message of kind ${reply.kind}`;
      warnSparingly('exchange', `${to.address} port ${to.port} did not exchange states: ${said}`);
    } catch (error) {
      if (isExpected && !abort.signal.aborted) {
        warnSparingly('exchange', `cannot exchange states with ${to.address} port ${to.port}: ${messageOf(error)}`);
      }
    } finally {
      if (isOwnJoin) joinsUnderWay -= 1;
    }
  }

  const joinAgain = (to: Endpoint): Promise<void> => exchangeStates({ to, isJoin: true }, false);
  const takeIn = (to: Endpoint): Promise<void> => exchangeStates({ to, isJoin: true }, false, false);

  /** Who was killed and is back at once is missed by nobody, so nobody would tell it of the others; but they still ping it. */
  function joinWhoSpeaks(from: Endpoint): void {
    if (joinsUnderWay === 0 && !abort.signal.aborted) void joinAgain(from);
  }

  async function pingByStream({ to, node, seqNo, timeoutMs }: StreamPing): Promise<void> {
    const ping = encodeMessage({ kind: 'ping', seqNo, node });
    try {
      const reply = await askByStream(to, async () => ping, secrecy(), timeoutMs);
      if (reply.kind === 'ack' && reply.seqNo === seqNo) step({ kind: 'streamAck', seqNo });
    } catch (error) {
      // No answer is what was expected of a node that does not answer packets either: the state machine counts on it.
      if (error instanceof Error && error.message === 'ECONNREFUSED') step({ kind: 'streamRefused', seqNo });
    }
  }

  async function close(): Promise<void> {
    if (abort.signal.aborted) return;
    abort.abort();
    clearTimeout(tickTimer);
    records.close();
    await Promise.all([packets.close(), streams.close()]);
  }

  arm();
  const { signal } = abort;
  const join = (to: Endpoint): Promise<void> => exchangeStates({ to, isJoin: true });
  void keepJoined({ self, seeds: options.seeds, members: () => swim.members(), join, takeIn, log, signal });
  void keepLooking({ lost: () => lost.all(nowMs()), joinAgain, signal });

  return {
    name,
    members: () => swim.members(),
    records: () => records.inForce(),
    publish: (names) => records.publish(names),
    say(payload) {
      const about = seen.nameIfNew(payload, nowMs());
      if (about !== undefined) step({ kind: 'say', about, payload, isOwn: true });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    replaceKeys: (keys) => keyring.replace(keys),
    async leave() {
      const left = new Promise<void>((resolve) => {
        listeners.add((event) => {
          if (event.kind === 'left') resolve();
        });
        setTimeout(resolve, LEAVE_TIMEOUT_MS).unref();
      });
      step({ kind: 'leave' });
      await left;
      await close();
    },
    close,
  };
}
