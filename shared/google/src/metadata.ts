import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type Answer, openExchange } from '@kopsctl/http/exchange.ts';

/** The metadata server of a machine in GCE. */
export interface MachineMetadata {
  /** The text at a path below `/computeMetadata/v1/`; undefined where the server knows no such path. */
  find(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** The same. @throws ActionableError where the server knows no such path */
  read(path: string, signal: AbortSignal): Promise<string>;
}

/** Its address and not its name, metadata.google.internal: a machine's names are what its agents are there for. */
const DEFAULT_ENDPOINT = 'http://169.254.169.254';
/** Both in the question, so that no page of the web can ask it, and in the answer, so that no proxy can give it. */
const FLAVOR = { header: 'Metadata-Flavor', value: 'Google' };

/** It answers in milliseconds; right after a boot the network may need some seconds, and a migration one. */
const ANSWER_WITHIN_MS = 2000;
const TRIES = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3000;
/** Everything read here is a name, an address or a token. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Where Google's own libraries look for it too: a variable, with or without a scheme, else its link-local address. */
export function metadataEndpoint(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['GCE_METADATA_HOST'] || env['GCE_METADATA_IP'] || DEFAULT_ENDPOINT;
  return (/^https?:\/\//.test(named) ? named : `http://${named}`).replace(/\/+$/, '');
}

/** Asks the server, again where it does not answer or is too busy. */
export function openMetadata(endpoint: string): MachineMetadata {
  const exchange = openExchange();
  const ask = (path: string, signal: AbortSignal): Promise<Answer> =>
    exchange(
      {
        method: 'GET',
        url: `${endpoint}/computeMetadata/v1/${path}`,
        headers: { [FLAVOR.header]: FLAVOR.value },
        withinMs: ANSWER_WITHIN_MS,
        maxBytes: MAX_ANSWER_BYTES,
      },
      signal,
    );

  const find = async (path: string, signal: AbortSignal): Promise<string | undefined> => {
    let why = '';
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      try {
        const answer = await ask(path, signal);
        if (answer.status === 200 || answer.status === 404) {
          if (!isGoogles(answer)) throw stranger(endpoint, path, answer.status);
          return answer.status === 200 ? answer.body.trim() : undefined;
        }
        why = `it answered ${answer.status}`;
        if (!isWorthRepeating(answer.status)) break;
      } catch (thrown) {
        signal.throwIfAborted();
        if (thrown instanceof ActionableError) throw thrown;
        why = messageOf(thrown);
      }
      if (attempt < TRIES) {
        await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)), undefined, { signal });
      }
    }
    throw failure(endpoint, path, why, 'see that this machine runs in GCE, and that nothing on it keeps it from there');
  };

  return {
    find,
    async read(path, signal) {
      const found = await find(path, signal);
      if (found !== undefined) return found;
      throw failure(endpoint, path, 'it knows no such thing', 'see that this machine runs in GCE');
    },
  };
}

const isGoogles = ({ headers }: Answer): boolean => headers[FLAVOR.header.toLowerCase()] === FLAVOR.value;

const isWorthRepeating = (status: number): boolean => status === 429 || status >= 500;

const stranger = (endpoint: string, path: string, status: number): ActionableError =>
  failure(
    endpoint,
    path,
    `what answers there (${status}) does not say ${FLAVOR.header}: ${FLAVOR.value}, so it is not the metadata server`,
    'see who answers there: a proxy, or a machine of another cloud',
  );

const failure = (endpoint: string, path: string, why: string, next: string): ActionableError =>
  new ActionableError({ what: `ask the metadata server at ${endpoint} for ${path}`, why, next });
