import { type Http, NoAnswerError, openHttp, type StreamedAnswer } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import { asRecord, asString } from './json.ts';
import { readKubeconfig, type KubeAccess } from './kubeconfig.ts';

/** The API server answered with an error status. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly status: number;
  /** How long the server wants us to wait before the same request. */
  readonly retryAfterMs?: number;
  constructor(what: string, status: number, why: string, retryAfterMs?: number) {
    super(`cannot ${what}: the API server answered ${status}: ${why}`);
    this.status = status;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The few requests that agents and kopsctl send to an API server. The official client library takes 86 MB of resident memory, nearly
 * all that an agent may have.
 */
export interface KubeClient {
  /** The object at the path; undefined when there is none. */
  get(path: string, signal: AbortSignal): Promise<unknown>;
  /** A text that is not an object, as it is: `/metrics`. */
  text(path: string, signal: AbortSignal): Promise<string>;
  /** What time it is by the API server's own clock, in ms since 1970: that of this machine may be wrong. Exact to a second. */
  timeMs(signal: AbortSignal): Promise<number>;
  create(path: string, object: unknown, signal: AbortSignal): Promise<unknown>;
  /** Replaces the object, provided that it still has the resourceVersion that `object` carries. */
  replace(path: string, object: unknown, signal: AbortSignal): Promise<unknown>;
  /** Server-side apply: only the fields that `object` sets become ours. */
  apply(path: string, object: unknown, signal: AbortSignal): Promise<unknown>;
  mergePatch(path: string, patch: unknown, signal: AbortSignal): Promise<unknown>;
  /** Deletes the object, and its dependents in the background; false when there was none. */
  remove(path: string, signal: AbortSignal): Promise<boolean>;
  /** Calls `onEvent` with each event of a watch until the server ends it. */
  watch(path: string, onEvent: (event: unknown) => void, signal: AbortSignal): Promise<void>;
}

export const FIELD_MANAGER = 'kopsctl';
/** An API server that does not answer within this time counts as unreachable. */
const ANSWER_TIMEOUT_MS = 30_000;
/**
 * Where nothing changes, an API server sends a bookmark every 60 to 75 seconds (apiserver/pkg/storage/cacher). Longer silence
 * is that of a machine that ended without closing its connections.
 */
const WATCH_TIMEOUT_MS = 100_000;

/** Lists of thousands of objects take some tens of megabytes. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** etcd takes objects of 1.5 MiB. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly isWatch?: boolean;
}

/** A client that reads the kubeconfig at the first request, and again after the server has refused its credentials. */
export const kubeClient = (kubeconfigPath: string): KubeClient => openKubeClient(() => readKubeconfig(kubeconfigPath));

/** A client with credentials that are read at the first request, and again after the server has refused them. */
export function openKubeClient(readAccess: () => Promise<KubeAccess>): KubeClient {
  const ask = openConnection(readAccess);
  const json = async (asked: Asked, signal: AbortSignal): Promise<unknown> =>
    JSON.parse(await textOf(await ask(asked, signal)));

  return {
    async get(path, signal) {
      try {
        return await json({ method: 'GET', path }, signal);
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) return undefined;
        throw error;
      }
    },
    text: async (path, signal) => textOf(await ask({ method: 'GET', path }, signal)),
    async timeMs(signal) {
      // Everybody may read it, and it is small.
      const answer = await ask({ method: 'GET', path: '/version' }, signal);
      await textOf(answer);
      const ms = Date.parse(answer.headers.date ?? '');
      if (Number.isNaN(ms))
        throw new Error('cannot GET /version: the answer does not say what time it is (no header Date)');
      return ms;
    },
    create: (path, body, signal) => json({ method: 'POST', path, body }, signal),
    replace: (path, body, signal) => json({ method: 'PUT', path, body }, signal),
    apply: (path, body, signal) =>
      // JSON is YAML; the content type is what makes the patch an apply.
      json(
        {
          method: 'PATCH',
          path: withQuery(path, `fieldManager=${FIELD_MANAGER}&force=true`),
          body,
          contentType: 'application/apply-patch+yaml',
        },
        signal,
      ),
    mergePatch: (path, body, signal) =>
      json(
        {
          method: 'PATCH',
          path: withQuery(path, `fieldManager=${FIELD_MANAGER}`),
          body,
          contentType: 'application/merge-patch+json',
        },
        signal,
      ),
    async remove(path, signal) {
      try {
        await json({ method: 'DELETE', path: withQuery(path, 'propagationPolicy=Background') }, signal);
        return true;
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) return false;
        throw error;
      }
    },
    async watch(path, onEvent, signal) {
      await readEvents(await ask({ method: 'GET', path, isWatch: true }, signal), path, onEvent);
    },
  };
}

type Ask = (asked: Asked, signal: AbortSignal) => Promise<StreamedAnswer>;

/** Sends requests, and reads the credentials at the first one and after the server has refused them. @throws KubeError */
function openConnection(readAccess: () => Promise<KubeAccess>): Ask {
  let access: { readonly kubeconfig: KubeAccess; readonly questions: Http; readonly watches: Http } | undefined;

  const open = async (): Promise<NonNullable<typeof access>> => {
    if (access === undefined) {
      const kubeconfig = await readAccess();
      const { ca, cert, key, tlsServerName: servername } = kubeconfig;
      const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), ...(servername && { servername }) };
      access = {
        kubeconfig,
        questions: openHttp({ maxSockets: 4, tls }),
        // A watch occupies its connection for minutes, so requests have connections of their own.
        watches: openHttp({ keepAlive: false, tls }),
      };
    }
    return access;
  };

  return async (asked, signal) => {
    const { kubeconfig, questions, watches } = await open();
    try {
      const answer = await send(kubeconfig, asked.isWatch === true ? watches : questions, asked, signal);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const why = messageIn(await textOf(answer));
      throw new KubeError(`${asked.method} ${asked.path}`, answer.status, why, retryAfterMs(answer));
    } catch (error) {
      // An expired or rotated certificate shows as 401 or as a failed handshake: the next request reads the files again.
      // A request that its caller aborted does not mean that, and the requests of other callers go on.
      const isOver = error instanceof KubeError ? error.status === 401 : !signal.aborted;
      if (isOver) {
        questions.close();
        watches.close();
        access = undefined;
      }
      throw error;
    }
  };
}

/** Calls back for each event of a watch, until the server ends it. */
async function readEvents({ body }: StreamedAnswer, path: string, onEvent: (event: unknown) => void): Promise<void> {
  let rest = '';
  for await (const chunk of body.setEncoding('utf8')) {
    rest += String(chunk);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_EVENT_CHARS)
      throw new Error(`an event of ${path} has more than ${MAX_EVENT_CHARS} characters`);
    for (const line of lines) if (line !== '') onEvent(JSON.parse(line));
  }
}

/** Callers may ask for more in the path, e.g. `?dryRun=All`. */
const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

async function send(access: KubeAccess, http: Http, asked: Asked, signal: AbortSignal): Promise<StreamedAnswer> {
  const { method, path, body, contentType = 'application/json', isWatch = false } = asked;
  const headers = {
    accept: 'application/json',
    'user-agent': 'kops-agents',
    ...(body !== undefined && { 'content-type': contentType }),
    ...(access.token !== undefined && { authorization: `Bearer ${access.token}` }),
  };
  const silenceMs = isWatch ? WATCH_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
  const text = body === undefined ? undefined : JSON.stringify(body);
  try {
    return await http.stream({ method, url: new URL(path, access.server), headers, body: text, silenceMs }, signal);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    throw new Error(`cannot ${method} ${path} at ${access.server}: ${error.message}`, { cause: error });
  }
}

const textOf = async ({ body }: StreamedAnswer): Promise<string> =>
  (await readWhole(body, MAX_ANSWER_BYTES)).toString('utf8');

/** Seconds, as API servers write it. */
function retryAfterMs({ headers }: StreamedAnswer): number | undefined {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

/** The message of a Kubernetes Status, or the text itself. */
function messageIn(text: string): string {
  try {
    return asString(asRecord(JSON.parse(text))['message']) ?? text;
  } catch {
    return text.slice(0, 500);
  }
}
