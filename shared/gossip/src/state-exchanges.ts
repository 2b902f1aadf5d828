import type { GossipLogFields } from './gossip-log.ts';
import type { Endpoint } from './swim/endpoint.ts';
import { askByStream, STREAM_TIMEOUT_MS } from './transport/tcp.ts';
import { encodePushPull } from './wire/encode-message.ts';
import type { NodeBelief, PushPull } from './wire/message.ts';
import type { Secrecy } from './wire/secrecy.ts';

export interface StateExchangesEnv {
  secrecy(): Secrecy;
  nodes(): readonly NodeBelief[];
  /** The state that users of gossip add: the records. */
  userState(): Uint8Array;
  /** Merges the state of another peer. `isJoin` is true where this peer joins the cluster by it. */
  takeState(from: Endpoint, state: PushPull, isJoin: boolean): void;
  /** Logs that an exchange failed. */
  warnOfFailure(fields: GossipLogFields): void;
}

export interface ExchangeOptions {
  readonly to: Endpoint;
  /** Whether the other peer is told that this is a join. */
  readonly isJoin: boolean;
  /** Whether this peer joins the cluster by the exchange; false where it brings the other peer in. */
  readonly isOwnJoin: boolean;
  /** Whether a failed exchange is worth a warning. */
  readonly warns: boolean;
}

/** Exchanges of whole states (memberlist push/pull) that this peer starts. */
export class StateExchanges {
  readonly #env: StateExchangesEnv;
  readonly #signal: AbortSignal;
  #joinsUnderWay = 0;
  #lastTurn = Promise.resolve();

  constructor(env: StateExchangesEnv, signal: AbortSignal) {
    this.#env = env;
    this.#signal = signal;
  }

  get isJoining(): boolean {
    return this.#joinsUnderWay > 0;
  }

  ownState(isJoin: boolean): Uint8Array {
    return encodePushPull({
      kind: 'pushPull',
      join: isJoin,
      nodes: this.#env.nodes(),
      userState: this.#env.userState(),
    });
  }

  /** Sends this peer's state and merges the answer. Never rejects. */
  async exchange({ to, isJoin, isOwnJoin, warns }: ExchangeOptions): Promise<void> {
    if (isOwnJoin) this.#joinsUnderWay += 1;
    try {
      const question = (): Promise<Uint8Array> => this.#ownStateInTurn(isJoin);
      const reply = await askByStream({ to, question, secrecy: this.#env.secrecy(), timeoutMs: STREAM_TIMEOUT_MS });
      if (reply.kind === 'pushPull') {
        this.#env.takeState(to, reply, isOwnJoin);
        return;
      }
      const answer = reply.kind === 'err' ? reply.error : `a message of kind ${reply.kind}`;
      this.#env.warnOfFailure({ with: to.address, port: to.port, answer });
    } catch (error) {
      if (warns && !this.#signal.aborted) {
        this.#env.warnOfFailure({ with: to.address, port: to.port, error });
      }
    } finally {
      if (isOwnJoin) this.#joinsUnderWay -= 1;
    }
  }

  /**
   * Encoding and sealing the state of thousands of members takes many milliseconds. So only one state is encoded at a
   * time, and packets are read between two of them: a probe waits only half a second for its answer.
   */
  async #ownStateInTurn(isJoin: boolean): Promise<Uint8Array> {
    await (this.#lastTurn = this.#lastTurn.then(() => new Promise((resolve) => setImmediate(resolve))));
    return this.ownState(isJoin);
  }
}
