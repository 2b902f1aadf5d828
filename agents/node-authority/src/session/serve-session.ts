import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Log } from '@kopsctl/agent/log.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import {
  AT_NEXT_CALL,
  MAX_MESSAGE_BYTES,
  MAX_REPORT_BYTES,
  NOT_YET,
  parseAttestation,
  parseCertificates,
  parseGoodbye,
  parsePlanWish,
  PATHS,
  printAttested,
  printCertificates,
  printHello,
} from '@kopsctl/node-identity/messages.ts';
import type { CallEnd } from '../calls/plan-call.ts';
import { Refusal, type Session } from './session.ts';

/** A machine that waits for its certificates asks for them twenty times, and reports in between. Nothing else asks as often. */
const MAX_REQUESTS = 100;

/** How long a machine may talk at a time: others wait for their turn. */
export interface Deadlines {
  /** Until it has sent the proof of which machine it is. Its cloud makes the evidence. */
  readonly proofMs: number;
  /** Until it has said everything. It says the rest at the next call. */
  readonly endMs: number;
}

const DEADLINES: Deadlines = { proofMs: 5_000, endMs: 30_000 };

/** Answers on connections to machines; each has a session of its own. */
export class SessionServer {
  readonly #server: Server;
  readonly #sessions = new WeakMap<object, Served>();
  readonly #deadlines: Deadlines;

  constructor(deadlines = DEADLINES) {
    this.#deadlines = deadlines;
    this.#server = createServer({ maxHeaderSize: 4096, keepAliveTimeout: 0 }, (request, response) => {
      const served = this.#sessions.get(request.socket);
      if (served === undefined) response.destroy();
      else void served.answer(request, response);
    });
  }

  /** Serves a connection until it is closed, by the machine or at a deadline. */
  async serve(connection: TLSSocket, session: Session, log: Log): Promise<CallEnd> {
    const ended = new AbortController();
    const served = new Served(session, log, ended.signal);
    const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    const { proofMs, endMs } = this.#deadlines;
    const proof = setTimeout(() => {
      if (!session.isAttested && !served.isAnswering)
        served.hangUp(connection, `it has not proven itself within ${proofMs / 1000} s`);
    }, proofMs);
    const end = setTimeout(() => served.hangUp(connection, `it has not ended within ${endMs / 1000} s`), endMs);
    this.#sessions.set(connection, served);
    this.#server.emit('connection', connection);
    await closed;
    ended.abort();
    clearTimeout(proof);
    clearTimeout(end);
    return served.end;
  }
}

class Served {
  readonly #session: Session;
  readonly #log: Log;
  readonly #signal: AbortSignal;
  #againSeconds: number | undefined;
  #isRefused = false;
  #isReading = false;
  /** The request has arrived: the time is now taken by the authority, or by what it asks. */
  isAnswering = false;
  #requests = 0;

  /** @param signal aborts when the connection is closed */
  constructor(session: Session, log: Log, signal: AbortSignal) {
    this.#session = session;
    this.#log = log;
    this.#signal = signal;
  }

  get end(): CallEnd {
    if (this.#session.isAttested) return { end: 'talked', againSeconds: this.#againSeconds };
    return { end: this.#isRefused ? 'unproven' : 'hung-up' };
  }

  hangUp(connection: TLSSocket, why: string): void {
    this.#isRefused = !this.isAnswering;
    this.#log.warn('connection closed', { why });
    connection.destroy();
  }

  /** Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A machine asks one thing at a time. Node.js would read on meanwhile, and keep what it has read in memory.
    if (this.#isReading || this.isAnswering) return void request.socket.destroy();
    this.#isReading = true;
    const { status, text } = await this.#answerOrRefusal(request);
    this.#isReading = this.isAnswering = false;
    if (this.#signal.aborted) return;
    // After a refusal there is nothing to say on this connection.
    const isLast = status !== 200 && status !== 401;
    response.writeHead(status, isLast ? { connection: 'close' } : {}).end(text);
  }

  async #answerOrRefusal(
    request: IncomingMessage,
  ): Promise<{ readonly status: number; readonly text: string | Uint8Array }> {
    try {
      this.#requests += 1;
      if (this.#requests > MAX_REQUESTS) throw new Refusal(403, `more than ${MAX_REQUESTS} requests at a time`);
      return { status: 200, text: await this.#answerTo(request) };
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      // Every machine begins with a key that is not known yet.
      if (status !== 401 && !this.#signal.aborted) {
        this.#isRefused ||= error instanceof Refusal;
        this.#log.warn('refused', { path: request.url, error });
      }
      // The same for every reason.
      return { status, text: 'refused\n' };
    }
  }

  async #answerTo(request: IncomingMessage): Promise<string | Uint8Array> {
    if (request.method !== 'POST') throw new Refusal(400, `the method is ${request.method}`);
    const body = async (maxBytes = MAX_MESSAGE_BYTES): Promise<Buffer> => {
      const length = Number(request.headers['content-length'] ?? 0);
      if (length > maxBytes) throw new Refusal(400, `its message has ${length} bytes, more than ${maxBytes}`);
      const bytes = await readWhole(request, maxBytes);
      this.isAnswering = true;
      return bytes;
    };
    const message = async <T>(parse: (text: string) => T): Promise<T> => {
      const bytes = await body();
      try {
        return parse(bytes.toString('utf8'));
      } catch (error) {
        throw new Refusal(
          400,
          `its message is not understood: ${error instanceof Error ? error.message : 'no reason'}`,
        );
      }
    };
    switch (request.url) {
      case PATHS.hello:
        await body();
        return printHello(this.#session.hello());
      case PATHS.attest: {
        const { isNew, ...attested } = await this.#session.attest(await message(parseAttestation), this.#signal);
        if (isNew) this.#log.info('enrolled', { node: attested.nodeName });
        return printAttested(attested);
      }
      case PATHS.plan:
        return this.#session.plan(await message(parsePlanWish), this.#signal);
      case PATHS.certificates: {
        const certificates = await this.#session.certificates(await message(parseCertificates), this.#signal);
        if (certificates === 'not-yet') return NOT_YET;
        if (certificates === 'at-next-call') return AT_NEXT_CALL;
        this.#log.info('certificates signed');
        return printCertificates(certificates);
      }
      case PATHS.report:
        this.#session.mustBeAttested();
        await this.#session.report(await body(MAX_REPORT_BYTES), this.#signal);
        return '{}';
      case PATHS.goodbye:
        this.#againSeconds = this.#session.goodbye(await message(parseGoodbye));
        return '{}';
      default:
        throw new Refusal(400, `nothing is at ${request.url}`);
    }
  }
}
