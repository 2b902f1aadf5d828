import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { askAgain, METADATA_SERVER } from '@kopsctl/http/ask-again.ts';
import { type Answer, openHttp } from '@kopsctl/http/http.ts';

/** The metadata server of a machine in GCE. */
export interface MachineMetadata {
  /** The text at a path below `/computeMetadata/v1/`; undefined when the server knows no such path. */
  find(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** The same. @throws ActionableError where the server knows no such path */
  read(path: string, signal: AbortSignal): Promise<string>;
}

/** The address, not the name metadata.google.internal: the agents provide the machine with names, so they cannot rely on them. */
const DEFAULT_ENDPOINT = 'http://169.254.169.254';
/** In the request, so that no web page can make it, and in the answer, so that no proxy can forge it. */
const FLAVOR = { header: 'Metadata-Flavor', value: 'Google' };

/** It answers in milliseconds; a live migration takes about a second. */
const ANSWER_WITHIN_MS = 2000;
/** Everything read here is a name, an address or a token. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Where Google's own libraries look for it too: a variable, with or without a scheme, else its link-local address. */
export function metadataEndpoint(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['GCE_METADATA_HOST'] || env['GCE_METADATA_IP'] || DEFAULT_ENDPOINT;
  return (/^https?:\/\//.test(named) ? named : `http://${named}`).replace(/\/+$/, '');
}

/** Asks the server, and asks again when it does not answer or is too busy. */
export function openMetadata(endpoint: string): MachineMetadata {
  const http = openHttp();
  const ask = (path: string, signal: AbortSignal): Promise<Answer> =>
    http.ask(
      {
        method: 'GET',
        url: `${endpoint}/computeMetadata/v1/${path}`,
        headers: { [FLAVOR.header]: FLAVOR.value },
        withinMs: ANSWER_WITHIN_MS,
        maxBytes: MAX_ANSWER_BYTES,
      },
      signal,
    );

  const once = async (path: string, signal: AbortSignal): Promise<string | undefined> => {
    const answer = await ask(path, signal);
    const { status } = answer;
    if (status !== 200 && status !== 404) throw new Unwilling(status);
    if (!isGoogles(answer)) throw stranger(endpoint, path, status);
    return status === 200 ? answer.body.trim() : undefined;
  };

  const find = (path: string, signal: AbortSignal): Promise<string | undefined> => {
    const isPassing = (thrown: unknown): boolean => !(thrown instanceof Unwilling) || thrown.isPassing;
    const next = 'check that this machine runs in GCE, and that no firewall or route on it blocks that address';
    const explain = (thrown: unknown) => failure(endpoint, path, messageOf(thrown), next);
    return askAgain(() => once(path, signal), { pace: METADATA_SERVER, isPassing, explain }, signal);
  };

  return {
    find,
    async read(path, signal) {
      const found = await find(path, signal);
      if (found !== undefined) return found;
      throw failure(endpoint, path, 'it knows no such path', 'check that this machine runs in GCE');
    },
  };
}

const isGoogles = ({ headers }: Answer): boolean => headers[FLAVOR.header.toLowerCase()] === FLAVOR.value;

/** The server answered with neither a text nor 404. */
class Unwilling extends Error {
  readonly isPassing: boolean;
  constructor(status: number) {
    super(`it answered ${status}`);
    this.isPassing = status === 429 || status >= 500;
  }
}

const stranger = (endpoint: string, path: string, status: number): ActionableError =>
  failure(
    endpoint,
    path,
    `the answer (${status}) lacks the header ${FLAVOR.header}: ${FLAVOR.value}, so it does not come from the metadata server`,
    'find out what answers there: a proxy, or a machine of another cloud',
  );

const failure = (endpoint: string, path: string, why: string, next: string): ActionableError =>
  new ActionableError({ what: `ask the metadata server at ${endpoint} for ${path}`, why, next });
