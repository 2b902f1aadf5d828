import type { Log } from '@kopsctl/agent/log.ts';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type Answer, openHttp } from '@kopsctl/http/http.ts';
import { type Pace, tryAgain } from '@kopsctl/http/try-again.ts';
import {
  BROKER_PATHS,
  type MachineKnowledge,
  MAX_MACHINES_BYTES,
  parseFailure,
  parseKnowledge,
  parseMachines,
  parseRights,
  parseStoredEnrolment,
  parseVerifierFacts,
  parseWritten,
  printWish,
} from '@kopsctl/node-identity/broker-messages.ts';
import { printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { MAX_PLAN_BYTES, printPlanWish } from '@kopsctl/node-identity/messages.ts';
import type { CloudMachine, Observed } from '@kopsctl/node-cloud/node-cloud.ts';
import type { GroupRights } from '@kopsctl/node-plan/authority-groups.ts';
import type { Enrolments } from '../enrolment/enrol.ts';
import type { ReadWorkerPlan } from '../knowledge/read-plan.ts';

/** All that an authority knows of its cloud and of the state store, neither of which it can reach. */
export interface Broker {
  readonly enrolments: Enrolments;
  readonly workerPlan: ReadWorkerPlan;
  /** Resolves at once without `after`; otherwise when there is a newer list, or after a while. */
  readonly machines: (after: string | undefined, signal: AbortSignal) => Promise<Observed<CloudMachine>>;
  /** Undefined for a group that the cluster does not have. */
  readonly rightsOf: (instanceGroup: string, signal: AbortSignal) => Promise<GroupRights | undefined>;
  readonly knowledgeFor: (instanceGroup: string, signal: AbortSignal) => Promise<MachineKnowledge>;
  readonly keepReport: (report: Buffer, signal: AbortSignal) => Promise<void>;
  readonly verifierFacts: (signal: AbortSignal) => Promise<unknown>;
}

/** Half of what the broker accepts, which leaves room for a second authority while systemd replaces this one. */
const MAX_CONNECTIONS = 32;
/** The slowest answer takes 25 s: the one that nothing has changed. */
const ANSWER_WITHIN_MS = 60_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** protokube starts again within some seconds. A machine waits 30 s for an answer, and is called again after that. */
const UNTIL_IT_IS_BACK: Pace = { retries: 14, minTimeout: 100, factor: 1.5, maxTimeout: 2000 };

/** protokube on the same machine, over its socket. While it is away, questions wait for it a while. */
export function openBroker(socketPath: string, log: Log): Broker {
  const http = openHttp({ socketPath, maxSockets: MAX_CONNECTIONS });
  let isAway = false;
  /** Logs each change once. */
  const note = (isAwayNow: boolean, error?: unknown): void => {
    if (isAwayNow === isAway) return;
    isAway = isAwayNow;
    if (isAway) log.warn('protokube does not answer; waiting for it', { socket: socketPath, error });
    else log.info('protokube answers again', { socket: socketPath });
  };

  const send = async (path: string, body: string | Buffer, maxBytes: number, signal: AbortSignal): Promise<Answer> => {
    const question = { method: 'POST', url: `http://broker${path}`, body, withinMs: ANSWER_WITHIN_MS, maxBytes };
    const pacing = {
      pace: UNTIL_IT_IS_BACK,
      isPassing: isConnectionError,
      onRetry: (error: unknown) => note(true, error),
    };
    try {
      const answer = await tryAgain(() => http.ask(question, signal), pacing, signal);
      note(false);
      return answer;
    } catch (cause) {
      signal.throwIfAborted();
      throw new ActionableError({
        what: `ask protokube for ${path} at ${socketPath}`,
        why: messageOf(cause),
        next: '`journalctl -u protokube` on this machine says why it does not serve the authority',
        cause,
      });
    }
  };
  /** The text of the answer; undefined if what was asked for does not exist. */
  const find = async (
    path: string,
    body: string | Buffer,
    signal: AbortSignal,
    maxBytes = MAX_ANSWER_BYTES,
  ): Promise<string | undefined> => {
    const { status, body: text } = await send(path, body, maxBytes, signal);
    if (status === 200) return text;
    const failure = parseFailure(text);
    if (status === 404) return undefined;
    throw new ActionableError(failure);
  };
  const ask = async (path: string, body: string | Buffer, signal: AbortSignal, maxBytes?: number): Promise<string> => {
    const text = await find(path, body, signal, maxBytes);
    if (text === undefined) throw new Error(`protokube has nothing for ${path}`);
    return text;
  };

  return {
    enrolments: {
      read: async (node, signal) =>
        parseStoredEnrolment(await ask(BROKER_PATHS.enrolment, printWish({ node }), signal)),
      write: async (enrolment, version, signal) => {
        const wish = printWish({ text: printEnrolment(enrolment), ...(version !== undefined && { version }) });
        return parseWritten(await ask(BROKER_PATHS.enrol, wish, signal));
      },
    },
    workerPlan: async (planHash, signal) => {
      const text = await find(BROKER_PATHS.plan, printPlanWish({ planHash }), signal, MAX_PLAN_BYTES);
      return text === undefined ? undefined : Buffer.from(text, 'utf8');
    },
    machines: async (after, signal) => {
      const wish = printWish(after === undefined ? {} : { after });
      return parseMachines(await ask(BROKER_PATHS.machines, wish, signal, MAX_MACHINES_BYTES));
    },
    rightsOf: async (instanceGroup, signal) =>
      parseRights(await ask(BROKER_PATHS.rights, printWish({ instanceGroup }), signal)),
    knowledgeFor: async (instanceGroup, signal) =>
      parseKnowledge(await ask(BROKER_PATHS.knowledge, printWish({ instanceGroup }), signal)),
    keepReport: async (report, signal) => {
      await ask(BROKER_PATHS.report, report, signal);
    },
    verifierFacts: async (signal) => parseVerifierFacts(await ask(BROKER_PATHS.verifierFacts, '{}', signal)),
  };
}

/** Nobody listens, or the connection broke: another protokube will be there. What was asked may be asked again. */
const isConnectionError = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EACCES'].includes(codeOf(error) ?? '');
