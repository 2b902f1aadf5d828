import type { ServerResponse } from 'node:http';
import { ComputeState } from './google-compute.ts';
import { DnsState } from './google-dns.ts';
import { KeyState } from './google-keys.ts';
import { PolicyState } from './google-policies.ts';
import { ObjectState } from './google-objects.ts';
import { notFound, Refusal, refuse } from './google-refusal.ts';
import { type CheckedRequest, checkMessage, checkRequest, masked, parseMask } from './google-schema.ts';
import { generator } from './seeded.ts';
import { bodyOf, type Place, serve, type TestServer } from './serve-test-server.ts';

export interface GoogleServer extends TestServer {
  readonly compute: ComputeState;
  readonly policies: PolicyState;
  readonly dns: DnsState;
  readonly keys: KeyState;
  readonly objects: ObjectState;
  /** The violations of Google's schema in requests and answers. */
  readonly violations: string[];
  /** The changes that were accepted, as `compute.disks.insert`. */
  readonly changes: string[];
  /** Calls a function after each accepted change, before it is answered. */
  onChange(tell: () => void): void;
  /** How often each fault happened. */
  readonly faults: Readonly<Record<Fault, number>>;
  /**
   * Lets requests fail from now on, the same ones for the same seed and the same requests.
   *
   * @param silentRequest the number of the one request that gets no answer on a connection that stays open. Clients wait
   * 20 seconds for it, so there is none by default.
   */
  misbehave(seed: number, silentRequest?: number): void;
  /** Makes the next `count` changes, but loses their answers. */
  loseAnswers(count: number): void;
  /** Ends misbehaviour. */
  behave(): void;
}

type Fault = 'throttled' | 'error' | 'lostAnswer' | 'cut' | 'silent' | 'notYetVisible';

/** The share of requests that each fault affects; new accounts are unknown for a while in any case. */
const RATES: readonly (readonly [fault: Fault, rate: number])[] = [
  ['throttled', 0.05],
  ['error', 0.04],
  ['lostAnswer', 0.04],
  ['cut', 0.04],
];

/** How long a new service account is unknown; at Google for up to a minute. */
const LAG_MS = 700;

export interface GoogleServerOptions {
  readonly place?: Place;
  /** Whether the holder of a token may call a method; by default there is one token, which may call all. */
  readonly may?: (token: string, method: string) => boolean;
}

/**
 * Google's services for a cluster: Compute Engine, IAM, Resource Manager, Cloud DNS, Cloud KMS, and what a cluster asks of Cloud Storage beside
 * its state store: policies, and objects for everybody. Each request and each answer is held to Google's discovery documents. Tokens are given to
 * everybody.
 */
export async function startGoogle({
  place,
  may = (token) => token === 'token',
}: GoogleServerOptions = {}): Promise<GoogleServer> {
  const [compute, policies, dns, keys] = [new ComputeState(), new PolicyState(), new DnsState(), new KeyState()];
  const objects = new ObjectState(policies.buckets);
  const [violations, changes] = [[] as string[], [] as string[]];
  const faults = { throttled: 0, error: 0, lostAnswer: 0, cut: 0, silent: 0, notYetVisible: 0 };
  let random: (() => number) | undefined;
  let [requests, silent, lost] = [0, 0, 0];
  let tellChange: () => void = () => undefined;

  const answerOf = (request: CheckedRequest): object | Refusal => {
    const { id } = request.method;
    if (id.startsWith('compute.')) return compute.answer(request);
    if (id.startsWith('dns.')) return dns.answer(request);
    if (id.startsWith('storage.objects.')) return objects.answer(request);
    return /^cloudkms\..*crypt$/.test(id) ? keys.answer(request) : policies.answer(request);
  };
  const pick = (): Fault | undefined => {
    requests += 1;
    let left = random?.() ?? 1;
    const found = requests === silent ? 'silent' : RATES.find(([, rate]) => (left -= rate) < 0)?.[0];
    if (found !== undefined) faults[found] += 1;
    return found;
  };

  const server = await serve(async (asked, answer) => {
    const url = new URL(asked.url ?? '', 'http://localhost');
    const text = await bodyOf(asked);
    if (url.pathname === '/token')
      return send(answer, { access_token: 'token', expires_in: 3600, token_type: 'Bearer' });
    const request = checkRequest(asked.method ?? '', url, text, asked.headers['content-type']);
    if (request === undefined) {
      violations.push(`${asked.method} ${asked.url} is not a method`);
      return send(answer, notFound(url.pathname));
    }
    const { method, parameters } = request;
    violations.push(...request.faults.map((fault) => `${method.id}: ${fault}`));
    if (request.faults.length > 0) return send(answer, refuse(400, 'invalid', request.faults.join('; ')));
    const [, token = ''] = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '') ?? [];
    if (!may(token, method.id)) return send(answer, refuse(401, 'required', 'Login Required.'));
    const fault = pick();
    if (fault === 'silent') return undefined;
    if (fault === 'cut') return answer.destroy();
    if (fault === 'throttled') return send(answer, refuse(403, 'rateLimitExceeded', 'Quota exceeded for quota metric'));
    if (fault === 'error') return send(answer, refuse(503, 'backendError', 'Backend Error'));
    const reply = answerOf(request);
    const isRefused = reply instanceof Refusal;
    const isRead =
      /\.(get|list|aggregatedList|listErrors|listManagedInstances|getIamPolicy|wait|encrypt|decrypt)$/.test(method.id);
    const isChange = !isRefused && !isRead;
    if (isChange) {
      changes.push(method.id);
      tellChange();
    }
    if (fault === 'lostAnswer' || (isChange && lost > 0 && (lost -= 1) >= 0)) return answer.destroy();
    if (isRefused) return send(answer, reply);
    violations.push(...checkMessage(method.response ?? '', reply, `the answer to ${method.id}`));
    const { fields } = parameters;
    return send(answer, fields === undefined ? reply : (masked(reply, parseMask(fields)) as object));
  }, place);
  return {
    ...server,
    compute,
    policies,
    dns,
    keys,
    objects,
    violations,
    changes,
    faults,
    onChange(tell) {
      tellChange = tell;
    },
    misbehave(seed, silentRequest = 0) {
      random = generator(seed);
      [requests, silent] = [0, silentRequest];
      policies.lagMs = LAG_MS;
      policies.onUnknown = () => void (faults.notYetVisible += 1);
    },
    loseAnswers(count) {
      lost = count;
    },
    behave() {
      random = undefined;
      [silent, policies.lagMs] = [0, 0];
    },
  };
}

function send(answer: ServerResponse, reply: object): void {
  const [status, body] = reply instanceof Refusal ? [reply.status, reply.body] : [200, reply];
  answer.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
}
