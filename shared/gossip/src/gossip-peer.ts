import { performance } from 'node:perf_hooks';
import type { Gossip, GossipEvent, GossipOptions } from './gossip.ts';
import { rateLimitedInfo, rateLimitedWarn, type GossipLog, type Warn } from './gossip-log.ts';
import { keepJoined, keepLooking } from './keep-joined.ts';
import { sample } from './sample.ts';
import { logEvent } from './log-event.ts';
import { LostMembers } from './lost-members.ts';
import type { DnsName, RecordInForce } from './records/record.ts';
import { RECORD_SETTINGS } from './records/record-map.ts';
import { ReplicatedRecords } from './records/replicated-records.ts';
import type { RecordTrust } from './records/signed/signed-records.ts';
import { SeenMessages } from './seen-messages.ts';
import { StateExchanges } from './state-exchanges.ts';
import { pingByStream } from './stream-ping.ts';
import { SwimDriver } from './swim-driver.ts';
import type { Effects, MemberView, StreamPing, SwimEvent } from './swim/effects.ts';
import type { Endpoint } from './swim/endpoint.ts';
import { beyondBound } from './swim/incarnation-bound.ts';
import { LAN } from './swim/settings.ts';
import { Keyring, type KeyUse } from './transport/keyring.ts';
import { serveStreams, type StreamServer } from './transport/tcp.ts';
import { openPacketSocket, type PacketSocket } from './transport/udp.ts';
import { encodeMessage } from './wire/encode-message.ts';
import type { Message, NodeBelief, PushPull, Versions } from './wire/message.ts';
import { Refusal } from './wire/refusal.ts';
import type { Secrecy } from './wire/secrecy.ts';
import type { StreamMessage } from './wire/stream.ts';

/** memberlist protocol 2, which understands 1 to 5, without a delegate protocol. */
const VERSIONS: Versions = { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 };
/** After this time the peer closes, even if its leave message has not been sent often enough. */
const LEAVE_TIMEOUT_MS = 5000;
/** Enough that at least one of them is neither dying nor cut off. */
const HEIRS = 3;
const NO_BYTES = new Uint8Array();

/** Never goes back, unlike the machine's clock. */
const nowMs = (): number => performance.timeOrigin + performance.now();

/** One running peer: the SWIM state machine and the records, connected to the sockets through which they reach others. */
export class GossipPeer implements Gossip {
  readonly name: string;
  readonly #self: Endpoint;
  readonly #label: string;
  readonly #log: GossipLog;
  readonly #warn: Warn;
  readonly #sayOfMember: GossipLog['info'];
  readonly #seeds: GossipOptions['seeds'];
  readonly #keyring: Keyring;
  readonly #swim: SwimDriver;
  readonly #records: ReplicatedRecords;
  readonly #exchanges: StateExchanges;
  readonly #lost = new LostMembers();
  readonly #seen = new SeenMessages();
  readonly #listeners = new Set<(event: GossipEvent) => void>();
  readonly #abort = new AbortController();
  #packets: PacketSocket | undefined;
  #streams: StreamServer | undefined;

  constructor(options: GossipOptions, self: Endpoint) {
    const { name, label = '', log, settings = LAN, versions = VERSIONS, meta = NO_BYTES } = options;
    this.name = name;
    this.#self = self;
    this.#label = label;
    this.#log = log;
    this.#warn = rateLimitedWarn(log);
    this.#sayOfMember = rateLimitedInfo(log);
    this.#seeds = options.seeds;
    this.#keyring = new Keyring(options.keys, nowMs);
    const config = { name, address: self.address, port: self.port, meta, versions, settings, label };
    this.#swim = new SwimDriver(config, nowMs, (effects) => this.#carryOut(effects));
    this.#records = new ReplicatedRecords({
      name,
      label,
      settings: options.recordSettings ?? RECORD_SETTINGS,
      signing: options.signing,
      nowMs: Date.now,
      say: (about, payload, isOwn) => this.#swim.step({ kind: 'say', about, payload, isOwn }),
      onChange: () => this.#tell({ kind: 'records' }),
    });
    this.#exchanges = new StateExchanges(
      {
        secrecy: () => {
          this.#keyring.encrypts(1);
          return this.#secrecy();
        },
        nodes: () => this.#swim.beliefs.state(),
        userState: () => this.#records.state(),
        takeState: (from, state, isJoin) => this.#takeState(from, state, isJoin),
        warnOfFailure: (fields) => this.#warn('exchange', 'state not exchanged', fields),
      },
      this.#abort.signal,
    );
  }

  /** Opens the sockets and starts to look for other peers. Called once. */
  async open(): Promise<void> {
    this.#packets = await openPacketSocket(this.#self, this.#secrecy, {
      onMessages: (from, messages) => this.#hearPacket(from, messages),
      onRefused: this.#warnOfRefusal,
      onSendError: (to, why) => this.#warn('send', 'cannot send', { to: to.address, why }),
    });
    try {
      this.#streams = await serveStreams(this.#self, this.#secrecy, {
        onMessage: (from, message) => {
          const answer = this.#answer(from, message);
          if (answer !== undefined) this.#keyring.encrypts(1);
          return answer;
        },
        onRefused: this.#warnOfRefusal,
        onBroken: (from, why) => this.#warn('stream', 'stream failed', { from: from.address, why }),
      });
    } catch (error) {
      await this.#packets.close();
      throw error;
    }
    this.#swim.arm();
    const { signal } = this.#abort;
    void keepJoined({
      self: this.#self,
      seeds: this.#seeds,
      members: () => this.members(),
      join: (to) => this.#exchanges.exchange({ to, isJoin: true, isOwnJoin: true, warns: true }),
      takeIn: (to) => this.#exchanges.exchange({ to, isJoin: true, isOwnJoin: false, warns: false }),
      log: this.#log,
      signal,
    });
    void keepLooking({ lost: () => this.#lost.all(nowMs()), joinAgain: (to) => this.#joinAgain(to), signal });
  }

  members(): readonly MemberView[] {
    return this.#swim.beliefs.members();
  }

  records(): readonly RecordInForce[] {
    return this.#records.inForce();
  }

  publish(names: readonly DnsName[]): void {
    this.#records.publish(names);
  }

  say(payload: Uint8Array): void {
    const about = this.#seen.nameIfNew(payload, nowMs());
    if (about !== undefined) this.#swim.step({ kind: 'say', about, payload, isOwn: true });
  }

  subscribe(listener: (event: GossipEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  replaceKeys(keys: readonly Uint8Array[]): void {
    this.#keyring.replace(keys);
  }

  keyUse(): KeyUse {
    return this.#keyring.use;
  }

  setMeta(meta: Uint8Array): void {
    this.#swim.step({ kind: 'meta', meta });
  }

  replaceTrust(trust: RecordTrust): void {
    this.#records.replaceTrust(trust);
  }

  async leave(): Promise<void> {
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, LEAVE_TIMEOUT_MS).unref());
    if (this.#records.publish([])) await Promise.race([this.#handOverState(), timeout]);
    const left = new Promise<void>((resolve) => {
      this.subscribe((event) => {
        if (event.kind === 'left') resolve();
      });
    });
    this.#swim.step({ kind: 'leave' });
    await Promise.race([left, timeout]);
    await this.close();
  }

  /**
   * Gives some members what this peer has withdrawn, and they pass it on. A packet has room for one signed record, so
   * this peer alone would need seconds to tell all members.
   */
  async #handOverState(): Promise<void> {
    const others = this.members()
      .slice(1)
      .filter(({ state }) => state === 'alive');
    const chosen = sample(others, HEIRS);
    await Promise.all(
      chosen.map((to) => this.#exchanges.exchange({ to, isJoin: false, isOwnJoin: false, warns: false })),
    );
  }

  async close(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    this.#swim.close();
    this.#records.close();
    await Promise.all([this.#packets?.close(), this.#streams?.close()]);
  }

  readonly #secrecy = (): Secrecy => ({ keys: this.#keyring.keys, label: this.#label });

  readonly #warnOfRefusal = (from: Endpoint, refusal: Refusal): void =>
    this.#warn(refusal.reason, 'message refused', { from: from.address, why: refusal.message });

  #tell(event: GossipEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #carryOut(effects: Effects): void {
    this.#keyring.encrypts(effects.packets.length + effects.streamPings.length);
    for (const packet of effects.packets) this.#packets?.send(packet);
    for (const { to, isJoin } of effects.exchanges) {
      void this.#exchanges.exchange({ to, isJoin, isOwnJoin: isJoin, warns: true });
    }
    for (const ping of effects.streamPings) void this.#pingByStream(ping);
    for (const event of effects.events) this.#hear(event);
  }

  #hear(event: SwimEvent): void {
    logEvent(event, this.#sayOfMember, this.#warn);
    switch (event.kind) {
      case 'join':
        this.#records.owner(event.member.name, 'live');
        this.#lost.settled(event.member);
        break;
      case 'leave':
        this.#records.owner(event.member.name, 'gone');
        this.#lost.settled(event.member);
        break;
      case 'fail':
        this.#records.owner(event.member.name, 'missing');
        this.#lost.failed(event.member, nowMs());
        break;
      case 'user':
        return this.#hearUser(event);
      default:
        break;
    }
    this.#tell(event);
  }

  #hearUser(event: SwimEvent & { readonly kind: 'user' }): void {
    const taken = this.#records.takeMessage(event.payload, event.from.address);
    if (taken instanceof Refusal) this.#warnOfRefusal(event.from, taken);
    if (taken !== 'foreign') return;
    // A user message reaches all members only if each of them rebroadcasts it.
    const about = this.#seen.nameIfNew(event.payload, nowMs());
    if (about === undefined) return;
    this.#swim.step({ kind: 'say', about, payload: event.payload, isOwn: false });
    this.#tell(event);
  }

  #hearPacket(from: Endpoint, messages: readonly Message[]): void {
    const wasAlone = this.#isAlone();
    this.#swim.step({ kind: 'packet', from, messages: this.#bounded(from, messages) });
    // The others never noticed that a peer was killed and restarted at once, so they do not send it their state. But they
    // still ping it, and it joins through them.
    if (wasAlone && !this.#exchanges.isJoining && !this.#abort.signal.aborted) void this.#joinAgain(from);
  }

  #answer(from: Endpoint, message: StreamMessage): Uint8Array | undefined {
    switch (message.kind) {
      case 'pushPull':
        // `from` has the port of this connection, not the one on which the peer listens, which is unknown here.
        // A peer that knows no other member joins the cluster by this exchange, as if it had started it.
        this.#takeState(from, message, message.join && this.#isAlone());
        return this.#exchanges.ownState(false);
      case 'ping':
        if (message.node !== '' && message.node !== this.name) return undefined;
        return encodeMessage({ kind: 'ack', seqNo: message.seqNo, payload: NO_BYTES });
      case 'user':
        this.#hear({ kind: 'user', payload: message.payload, from });
        return undefined;
      case 'err':
        this.#warn('err', 'peer reports an error', { from: from.address, error: message.error });
        return undefined;
      case 'ack':
        return undefined;
    }
  }

  #takeState(from: Endpoint, state: PushPull, isJoin: boolean): void {
    this.#swim.step({ kind: 'state', from, isJoin, nodes: this.#bounded(from, state.nodes) });
    const refusal = this.#records.takeState(state.userState, from.address);
    if (refusal !== undefined) this.#warnOfRefusal(from, refusal);
  }

  /** The messages or beliefs without those whose incarnation no peer reaches. */
  #bounded<T extends Message | NodeBelief>(from: Endpoint, said: readonly T[]): readonly T[] {
    const dateMs = Date.now();
    return said.filter((one) => {
      const refusal = beyondBound(one, dateMs);
      if (refusal !== undefined) this.#warnOfRefusal(from, refusal);
      return refusal === undefined;
    });
  }

  #isAlone(): boolean {
    return this.#swim.beliefs.nodes === 1;
  }

  #joinAgain(to: Endpoint): Promise<void> {
    return this.#exchanges.exchange({ to, isJoin: true, isOwnJoin: true, warns: false });
  }

  async #pingByStream(ping: StreamPing): Promise<void> {
    const input = await pingByStream(ping, this.#secrecy());
    if (input !== undefined) this.#swim.step(input);
  }
}
