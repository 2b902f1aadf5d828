import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import { authorityName } from './addresses.ts';
import { challengeOf, channelOf } from './challenge.ts';
import type { MachineKey } from './machine-key.ts';
import {
  AT_NEXT_CALL,
  type Attested,
  type Certificates,
  type Goodbye,
  MAX_PLAN_BYTES,
  parseAttested,
  parseCertificates,
  NOT_YET,
  parseHello,
  PATHS,
  printAttestation,
  printCertificates,
  printGoodbye,
  printPlanWish,
} from './messages.ts';

/** What a machine knows of the authorities of its cluster before it talks to one. */
export interface TrustedAuthority {
  readonly cluster: string;
  /** The CA certificates that sign those of authorities, PEM. */
  readonly authorityCa: string;
}

/** Evidence of the cloud about this machine, for one challenge. */
export type Evidence = (challenge: Uint8Array, signal: AbortSignal) => Promise<object>;

/** The authority does not know the machine's key: evidence is needed. */
class EvidenceWanted extends Error {
  override readonly name = 'EvidenceWanted';
}

/** The authority refused. It does not say why: its own log does. */
export class RefusedByAuthority extends Error {
  override readonly name = 'RefusedByAuthority';
  readonly status: number;
  constructor(what: string, status: number) {
    super(
      `the authority refused to ${what} (${status}); its log says why: journalctl -u node-authority on control planes`,
    );
    this.status = status;
  }
}

/** The time for both sides to agree on keys and to identify each other: some milliseconds where nothing is wrong. */
export const HANDSHAKE_MS = 5_000;
const ANSWER_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A machine's conversation with an authority, on a connection that the authority opened. */
export class AuthoritySession {
  readonly #connection: TLSSocket;
  readonly #http: Http;
  readonly #cluster: string;

  private constructor(connection: TLSSocket, cluster: string) {
    this.#connection = connection;
    this.#http = openHttp({ connection });
    this.#cluster = cluster;
  }

  /**
   * Lets the other side prove that it is an authority of this cluster. The socket is closed if it cannot.
   *
   * @throws if it is not one
   */
  static async begin(socket: Socket, trusted: TrustedAuthority, signal: AbortSignal): Promise<AuthoritySession> {
    const connection = connect({
      socket,
      ca: trusted.authorityCa,
      servername: authorityName(trusted.cluster),
      minVersion: 'TLSv1.3',
    });
    try {
      await once(connection, 'secureConnect', { signal: AbortSignal.any([signal, AbortSignal.timeout(HANDSHAKE_MS)]) });
    } catch (error) {
      connection.destroy();
      throw error;
    }
    // A caller that waits for an answer gets the error; nobody else needs it.
    connection.on('error', () => undefined);
    return new AuthoritySession(connection, trusted.cluster);
  }

  /** Whether the authority has gone. */
  get isOver(): boolean {
    return this.#connection.destroyed;
  }

  /** Resolves when the connection is closed, also if that is because of an error. */
  async over(): Promise<void> {
    if (this.#connection.destroyed) return;
    await new Promise((resolve) => {
      this.#connection.once('close', resolve);
    });
  }

  /**
   * Proves which machine this is: by its key where the authority knows that, otherwise by evidence of the cloud.
   *
   * @throws RefusedByAuthority
   */
  async attest(key: MachineKey, evidence: Evidence, signal: AbortSignal): Promise<Attested> {
    try {
      return await this.#attest(key, undefined, signal);
    } catch (error) {
      if (!(error instanceof EvidenceWanted)) throw error;
      return this.#attest(key, evidence, signal);
    }
  }

  async #attest(key: MachineKey, evidence: Evidence | undefined, signal: AbortSignal): Promise<Attested> {
    const { nonce } = parseHello(await this.#ask('say hello', PATHS.hello, '{}', ANSWER_MS, signal));
    const challenge = challengeOf({
      cluster: this.#cluster,
      nonce,
      channel: channelOf(this.#connection),
      machineKey: key.publicKey,
    });
    const attestation = {
      machineKey: key.publicKey,
      signature: key.sign(challenge),
      ...(evidence !== undefined && { evidence: await evidence(challenge, signal) }),
    };
    return parseAttested(
      await this.#ask('attest this machine', PATHS.attest, printAttestation(attestation), ANSWER_MS, signal),
    );
  }

  /**
   * The bytes of this machine's plan. They are the plan that the user-data pins only if their hash matches.
   *
   * @param planHash hex SHA-256
   */
  async plan(planHash: string, signal: AbortSignal): Promise<Uint8Array> {
    const wish = printPlanWish({ planHash });
    return Buffer.from(await this.#ask('give the plan', PATHS.plan, wish, ANSWER_MS, signal, MAX_PLAN_BYTES), 'utf8');
  }

  /**
   * Has certificates signed. If they are not signed yet, ask again for the same ones, at once or at the next call.
   *
   * @param requests PKCS#10, PEM
   */
  async certificates(requests: Certificates, signal: AbortSignal): Promise<Certificates | 'not-yet' | 'at-next-call'> {
    const asked = printCertificates(requests);
    const answer = await this.#ask('sign certificates', PATHS.certificates, asked, ANSWER_MS, signal);
    if (answer === NOT_YET) return 'not-yet';
    return answer === AT_NEXT_CALL ? 'at-next-call' : parseCertificates(answer);
  }

  /** Has the authority keep a report of this machine: of its boot, or of its state. */
  async report(report: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#ask('keep a report', PATHS.report, Buffer.from(report), ANSWER_MS, signal);
  }

  /** Says when this machine wants to be called again, and hangs up. */
  async goodbye(goodbye: Goodbye, signal: AbortSignal): Promise<void> {
    await this.#ask('call again', PATHS.goodbye, printGoodbye(goodbye), ANSWER_MS, signal);
    this.end();
  }

  end(): void {
    this.#http.close();
    this.#connection.destroy();
  }

  async #ask(
    what: string,
    path: string,
    body: string | Buffer,
    silenceMs: number,
    signal: AbortSignal,
    maxBytes = MAX_ANSWER_BYTES,
  ): Promise<string> {
    const question = { method: 'POST', url: `http://authority${path}`, body, silenceMs, maxBytes };
    const { status, body: text } = await this.#http.ask(question, signal);
    if (status === 401) throw new EvidenceWanted(what);
    if (status !== 200) throw new RefusedByAuthority(what, status);
    return text;
  }
}
