import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type Answer, openExchange } from '@kopsctl/http/exchange.ts';

/** EC2's instance metadata service, version 2: every question carries a token that was asked for before. */
export interface InstanceMetadata {
  /** The text at a path below `/latest/meta-data/`. @throws where the service knows no such path */
  read(path: string, signal: AbortSignal): Promise<string>;
}

const DEFAULT_ENDPOINT = 'http://169.254.169.254';
/** The longest that the service gives a token for: 6 hours. */
const TOKEN_SECONDS = 21_600;
const TOKEN_HEADER = 'x-aws-ec2-metadata-token';

/** It answers in milliseconds; right after a boot the network may need some seconds. */
const ANSWER_WITHIN_MS = 2000;
const TRIES = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 3000;
/** Everything read here is a name, an address or an id. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Where AWS's own tools look for it too: a variable, else its link-local address. */
export function metadataEndpoint(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['AWS_EC2_METADATA_SERVICE_ENDPOINT'];
  if (named !== undefined && named !== '') return named.replace(/\/+$/, '');
  return env['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE']?.toLowerCase() === 'ipv6'
    ? 'http://[fd00:ec2::254]'
    : DEFAULT_ENDPOINT;
}

/** Asks the service, again where it does not answer, is throttled, or has forgotten the token. */
export function openMetadata(endpoint: string): InstanceMetadata {
  const exchange = openExchange();
  let token: string | undefined;

  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) =>
    exchange(
      { method, url: `${endpoint}/latest/${path}`, headers, withinMs: ANSWER_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES },
      signal,
    );
  const ask = async (path: string, signal: AbortSignal): Promise<Answer> => {
    if (token === undefined) {
      const headers = { [`${TOKEN_HEADER}-ttl-seconds`]: String(TOKEN_SECONDS) };
      const given = await send('PUT', 'api/token', headers, signal);
      if (given.status !== 200) return given;
      token = given.body;
    }
    const answer = await send('GET', `meta-data/${path}`, { [TOKEN_HEADER]: token }, signal);
    if (answer.status === 401) token = undefined;
    return answer;
  };

  return {
    async read(path, signal) {
      let why = '';
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        try {
          const answer = await ask(path, signal);
          if (answer.status === 200) return answer.body.trim();
          why = `it answered ${answer.status}`;
          if (!isWorthRepeating(answer.status)) break;
        } catch (thrown) {
          signal.throwIfAborted();
          why = messageOf(thrown);
        }
        if (attempt < TRIES) {
          await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)), undefined, { signal });
        }
      }
      throw new ActionableError({
        what: `ask the metadata service at ${endpoint} for ${path}`,
        why,
        next: "see that the machine's metadata service is on (`aws ec2 describe-instances`, MetadataOptions: HttpEndpoint enabled; from a container it takes a hop limit of 2)",
      });
    },
  };
}

/** 401: the token is too old. 429 and 5xx: too many questions, or a service that has just started. */
const isWorthRepeating = (status: number): boolean => status === 401 || status === 429 || status >= 500;
