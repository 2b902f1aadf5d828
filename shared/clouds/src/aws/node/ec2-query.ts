import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openExchange } from '@kopsctl/http/exchange.ts';
import type { Keys } from './credentials.ts';
import { signedHeaders } from './sign-request.ts';
import { type Element, itemsAt, parseXml, textAt } from './xml.ts';

/** A call that EC2 refused, under EC2's own name for the refusal. */
export class Ec2Refusal extends Error {
  override readonly name = 'Ec2Refusal';
  readonly code: string;

  constructor(action: string, code: string, message: string) {
    super(`${action}: ${code}: ${message}`);
    this.code = code;
  }
}

export interface Ec2Query {
  /** One call. Its parameters are flat, as EC2's query protocol has them: `Filter.1.Name`. */
  call(action: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Element>;
}

export interface Ec2QueryOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: (signal: AbortSignal) => Promise<Keys>;
  readonly nowMs: () => number;
  readonly random: () => number;
}

const VERSION = '2016-11-15';
const CONTENT_TYPE = 'application/x-www-form-urlencoded; charset=utf-8';
const ANSWER_WITHIN_MS = 20_000;
/** A page of 500 instances with 50 tags each is about 5 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Over about half a minute: what lasts longer is for the caller to report. */
const TRIES = 7;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;

/**
 * EC2 by its query protocol, signed by hand: a machine makes three calls of the hundreds that AWS's client knows, and
 * that client takes 57 to 92 MB of each agent's memory.
 */
export function openEc2Query({ endpoint, region, credentials, nowMs, random }: Ec2QueryOptions): Ec2Query {
  const exchange = openExchange();
  const once = async (action: string, body: string, signal: AbortSignal): Promise<Element> => {
    const { host } = new URL(endpoint);
    const request = { host, region, service: 'ec2', body, contentType: CONTENT_TYPE };
    const headers = signedHeaders(request, await credentials(signal), nowMs());
    const answer = await exchange(
      { method: 'POST', url: endpoint, headers, body, withinMs: ANSWER_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES },
      signal,
    );
    if (answer.status === 200) return parseXml(answer.body);
    throw refusalOf(action, answer.status, answer.body);
  };

  return {
    async call(action, parameters, signal) {
      const body = new URLSearchParams({ Action: action, Version: VERSION, ...parameters }).toString();
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(action, body, signal);
        } catch (thrown) {
          signal.throwIfAborted();
          if (thrown instanceof ActionableError) throw thrown;
          if (thrown instanceof Ec2Refusal && !isPassing(thrown.code)) throw thrown;
          if (attempt === TRIES) throw unanswered(action, endpoint, thrown);
          const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
          await sleep(pauseMs * (0.5 + random()), undefined, { signal });
        }
      }
    },
  };
}

function refusalOf(action: string, status: number, body: string): Ec2Refusal {
  if (body.trimStart().startsWith('<')) {
    try {
      const answer = parseXml(body);
      const error = answer.inside.find(({ name }) => name === 'Errors')?.inside[0];
      if (error !== undefined) return new Ec2Refusal(action, textAt(error, 'Code'), textAt(error, 'Message'));
    } catch {
      // A page of some proxy: its status says what there is to say.
    }
  }
  return new Ec2Refusal(action, `Http${status}`, body.slice(0, 200));
}

/** Throttled, or a fault of the other side (EC2 API reference, "Error codes"). */
const isPassing = (code: string): boolean =>
  /^(RequestLimitExceeded|Throttling|ThrottlingException|InternalError|InternalFailure|ServiceUnavailable|Unavailable|Http(429|5\d\d))$/.test(
    code,
  );

const unanswered = (action: string, endpoint: string, cause: unknown): ActionableError =>
  new ActionableError({
    what: `ask EC2 (${action})`,
    why: `${endpoint} did not answer ${TRIES} times: ${messageOf(cause)}`,
    next: 'look at the way out of this subnet: NAT gateway, route table, or an endpoint for EC2 in the VPC',
    cause,
  });

/** Every item of a list, page by page. A filter is a name with the values of which one must hold. */
export async function describeAll(
  ec2: Ec2Query,
  { action, list, filters }: { readonly action: string; readonly list: string; readonly filters: Filters },
  signal: AbortSignal,
): Promise<readonly Element[]> {
  const found: Element[] = [];
  const parameters = filterParameters(filters);
  let page = '';
  do {
    const next = page === '' ? {} : { NextToken: page };
    const answer = await ec2.call(action, { ...parameters, ...next, MaxResults: String(PAGE) }, signal);
    found.push(...itemsAt(answer, list));
    page = textAt(answer, 'nextToken');
  } while (page !== '');
  return found;
}

export type Filters = Readonly<Record<string, readonly string[]>>;

/** EC2 gives 1000 at most; with fewer, no single answer is large. */
const PAGE = 500;

function filterParameters(filters: Filters): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, values], index) => [
      [`Filter.${index + 1}.Name`, name],
      ...values.map((value, at) => [`Filter.${index + 1}.Value.${at + 1}`, value] as const),
    ]),
  );
}
