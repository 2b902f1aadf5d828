import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { asRecord, asString } from './json.ts';
import { readKubeconfig, type KubeAccess } from './kubeconfig.ts';

/** The API server answered, and the answer was no. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly status: number;
  constructor(what: string, status: number, why: string) {
    super(`cannot ${what}: the API server answered ${status}: ${why}`);
    this.status = status;
  }
}

/**
 * The few things protokube asks of an API server, without a client library: the official one takes 86 MB of
 * resident memory, which is what the whole agent may have.
 */
export interface KubeClient {
  /** What is at the path; undefined when there is nothing. */
  get(path: string, signal: AbortSignal): Promise<unknown>;
  create(path: string, object: unknown, signal: AbortSignal): Promise<unknown>;
  /** Replaces; the object carries the resourceVersion it was read with, so the write is conditional. */
  replace(path: string, object: unknown, signal: AbortSignal): Promise<unknown>;
  /** Server-side apply: we own what the object says and nothing else. */
  apply(path: string, object: unknown, signal: AbortSignal): Promise<unknown>;
  mergePatch(path: string, patch: unknown, signal: AbortSignal): Promise<unknown>;
  /** Deletes, and what it made in the background; false when there was nothing. */
  remove(path: string, signal: AbortSignal): Promise<boolean>;
  /** Hands over each line of a watch until the server ends it. */
  watch(path: string, onEvent: (event: unknown) => void, signal: AbortSignal): Promise<void>;
}

export const FIELD_MANAGER = 'kopsctl';
/** A server that does not answer within this is treated as away. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Watches end themselves after 5 minutes (`timeoutSeconds`); silence beyond that is a dead connection. */
const WATCH_TIMEOUT_MS = 330_000;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly isWatch?: boolean;
}

/** A client that reads the kubeconfig when first used and again after a refusal of its identity. */
export function kubeClient(kubeconfigPath: string): KubeClient {
  let access: { readonly kubeconfig: KubeAccess; readonly questions: Agent; readonly watches: Agent } | undefined;

  const open = async (): Promise<NonNullable<typeof access>> => {
    if (access === undefined) {
      const kubeconfig = await readKubeconfig(kubeconfigPath);
      const { ca, cert, key } = kubeconfig;
      const identity = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
      access = {
        kubeconfig,
        questions: new Agent({ keepAlive: true, maxSockets: 4, ...identity }),
        // Each holds its connection for minutes: no question may have to wait for one of them.
        watches: new Agent(identity),
      };
    }
    return access;
  };

  const ask = async (asked: Asked, signal: AbortSignal): Promise<IncomingMessage> => {
    const { kubeconfig, questions, watches } = await open();
    try {
      const answer = await send(kubeconfig, asked.isWatch === true ? watches : questions, asked, signal);
      const status = answer.statusCode ?? 0;
      if (status >= 200 && status < 300) return answer;
      const text = await textOf(answer);
      throw new KubeError(`${asked.method} ${asked.path}`, status, messageIn(text));
    } catch (error) {
      // An expired or rotated certificate shows as 401 or as a broken handshake: the files are read anew next time.
      if (!(error instanceof KubeError) || error.status === 401) {
        questions.destroy();
        watches.destroy();
        access = undefined;
      }
      throw error;
    }
  };

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
    create: (path, body, signal) => json({ method: 'POST', path, body }, signal),
    replace: (path, body, signal) => json({ method: 'PUT', path, body }, signal),
    apply: (path, body, signal) =>
      // JSON is YAML; the content type is what makes the patch an apply.
      json(
        {
          method: 'PATCH',
          path: `${path}?fieldManager=${FIELD_MANAGER}&force=true`,
          body,
          contentType: 'application/apply-patch+yaml',
        },
        signal,
      ),
    mergePatch: (path, body, signal) =>
      json(
        {
          method: 'PATCH',
          path: `${path}?fieldManager=${FIELD_MANAGER}`,
          body,
          contentType: 'application/merge-patch+json',
        },
        signal,
      ),
    async remove(path, signal) {
      try {
        await json({ method: 'DELETE', path: `${path}?propagationPolicy=Background` }, signal);
        return true;
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) return false;
        throw error;
      }
    },
    async watch(path, onEvent, signal) {
      const answer = await ask({ method: 'GET', path, isWatch: true }, signal);
      let rest = '';
      for await (const chunk of answer.setEncoding('utf8')) {
        rest += String(chunk);
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line !== '') onEvent(JSON.parse(line));
      }
    },
  };
}

function send(access: KubeAccess, agent: Agent, asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, path, body, contentType = 'application/json', isWatch = false } = asked;
  const timeoutMs = isWatch ? WATCH_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, access.server), {
      method,
      agent,
      signal,
      timeout: timeoutMs,
      headers: {
        accept: 'application/json',
        'user-agent': 'protokube',
        ...(body !== undefined && { 'content-type': contentType }),
        ...(access.token !== undefined && { authorization: `Bearer ${access.token}` }),
      },
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.once('timeout', () =>
      sent.destroy(new Error(`cannot ${method} ${path} at ${access.server}: silent for ${timeoutMs / 1000} s`)),
    );
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
  return text;
}

/** The message of a Kubernetes Status, or the text itself. */
function messageIn(text: string): string {
  try {
    return asString(asRecord(JSON.parse(text))['message']) ?? text;
  } catch {
    return text.slice(0, 500);
  }
}
