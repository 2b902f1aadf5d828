import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { askAgain, CLOUD_API } from '@kopsctl/http/ask-again.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import type { Keys } from './credentials.ts';
import { signedHeaders } from './sign-request.ts';
import { type Element, itemsAt, parseXml, textAt } from './xml.ts';

/** A call that the service refused, with its error code. */
export class Ec2Refusal extends Error {
  override readonly name = 'Ec2Refusal';
  readonly code: string;

  constructor(action: string, code: string, message: string) {
    super(`${action}: ${code}: ${message}`);
    this.code = code;
  }
}

export interface Ec2Query {
  /** One call. Parameters are flat, as in the query protocol of EC2: `Filter.1.Name`. */
  call(action: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Element>;
}

/** A service of the same protocol, with the version of its API. */
export interface QueryService {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

const EC2: QueryService = { name: 'ec2', title: 'EC2', version: '2016-11-15' };

export interface Ec2QueryOptions {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: (signal: AbortSignal) => Promise<Keys>;
  readonly nowMs: () => number;
  /** EC2 unless given. */
  readonly service?: QueryService;
}

const CONTENT_TYPE = 'application/x-www-form-urlencoded; charset=utf-8';
const ANSWER_WITHIN_MS = 20_000;
/** A page of 500 instances with 50 tags each is about 5 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * A client for the query protocol of EC2, written by hand: machines use few of its hundreds of calls, and the AWS
 * client takes 57 to 92 MB of memory in each agent.
 */
export function openEc2Query({ endpoint, region, credentials, nowMs, service = EC2 }: Ec2QueryOptions): Ec2Query {
  const http = openHttp();
  const once = async (action: string, body: string, signal: AbortSignal): Promise<Element> => {
    const { host } = new URL(endpoint);
    const request = { host, region, service: service.name, body, contentType: CONTENT_TYPE };
    const headers = signedHeaders(request, await credentials(signal), nowMs());
    const answer = await http.ask(
      { method: 'POST', url: endpoint, headers, body, withinMs: ANSWER_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES },
      signal,
    );
    if (answer.status === 200) return parseXml(answer.body);
    throw refusalOf(action, answer.status, answer.body);
  };

  return {
    async call(action, parameters, signal) {
      const body = new URLSearchParams({ Action: action, Version: service.version, ...parameters }).toString();
      const mayPass = (thrown: unknown): boolean => !(thrown instanceof Ec2Refusal) || isPassing(thrown.code);
      const explain = (thrown: unknown): unknown =>
        mayPass(thrown) ? unanswered(`${service.title} (${action})`, endpoint, thrown) : thrown;
      return askAgain(() => once(action, body, signal), { pace: CLOUD_API, isPassing: mayPass, explain }, signal);
    },
  };
}

function refusalOf(action: string, status: number, body: string): Ec2Refusal {
  if (body.trimStart().startsWith('<')) {
    try {
      const answer = parseXml(body);
      const inside = (wanted: string) => answer.inside.find(({ name }) => name === wanted);
      // EC2 alone has a list of them.
      const error = inside('Errors')?.inside[0] ?? inside('Error');
      if (error !== undefined) return new Ec2Refusal(action, textAt(error, 'Code'), textAt(error, 'Message'));
    } catch {
      // Not from EC2, but from a proxy: only the status is meaningful.
    }
  }
  return new Ec2Refusal(action, `Http${status}`, body.slice(0, 200));
}

/** Throttled, or a server error (EC2 API reference, "Error codes"). */
const isPassing = (code: string): boolean =>
  /^(RequestLimitExceeded|Throttling|ThrottlingException|InternalError|InternalFailure|ServiceUnavailable|Unavailable|Http(429|5\d\d))$/.test(
    code,
  );

const unanswered = (asked: string, endpoint: string, cause: unknown): ActionableError =>
  new ActionableError({
    what: `ask ${asked}`,
    why: `${endpoint} did not answer ${CLOUD_API.retries + 1} times: ${messageOf(cause)}`,
    next: 'check the egress of this subnet: NAT gateway, route table, or a VPC endpoint of the service',
    cause,
  });

/** All items of a list, page by page. A filter matches any of its values. */
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

/** The limit of EC2 is 1000; a smaller page keeps responses small. */
const PAGE = 500;

function filterParameters(filters: Filters): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, values], index) => [
      [`Filter.${index + 1}.Name`, name],
      ...values.map((value, at) => [`Filter.${index + 1}.Value.${at + 1}`, value] as const),
    ]),
  );
}
