import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { askAgain, METADATA_SERVER } from '@kopsctl/http/ask-again.ts';
import { type Answer, openHttp } from '@kopsctl/http/http.ts';

/** EC2's instance metadata service, version 2: every request carries a session token. */
export interface InstanceMetadata {
  /**
   * The text at a path below `/latest/meta-data/`.
   *
   * @throws if the path does not exist
   */
  read(path: string, signal: AbortSignal): Promise<string>;
}

export interface OpenedMetadata extends InstanceMetadata {
  /** The same for a path that not every machine has; undefined where it does not exist. */
  find(path: string, signal: AbortSignal): Promise<string | undefined>;
}

const DEFAULT_ENDPOINT = 'http://169.254.169.254';
/** The maximum lifetime of a token: 6 hours. */
const TOKEN_SECONDS = 21_600;
const TOKEN_HEADER = 'x-aws-ec2-metadata-token';

const ANSWER_WITHIN_MS = 2000;
/** Every value is a name, an address or an id. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** The endpoint that AWS's own tools use: from a variable, else the link-local address. */
export function metadataEndpoint(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['AWS_EC2_METADATA_SERVICE_ENDPOINT'];
  if (named !== undefined && named !== '') return named.replace(/\/+$/, '');
  return env['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE']?.toLowerCase() === 'ipv6'
    ? 'http://[fd00:ec2::254]'
    : DEFAULT_ENDPOINT;
}

/** Sends a request, again if there is no response, if it is throttled, or if the token is rejected. */
export function openMetadata(endpoint: string): OpenedMetadata {
  const http = openHttp();
  let token: string | undefined;

  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) =>
    http.ask(
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

  const asked = <Read>(path: string, read: (answer: Answer) => Read, signal: AbortSignal): Promise<Read> => {
    const once = async (): Promise<Read> => read(await ask(path, signal));
    const isPassing = (thrown: unknown): boolean => !(thrown instanceof Unwilling) || thrown.isPassing;
    const explain = (cause: unknown) =>
      new ActionableError({
        what: `ask the metadata service at ${endpoint} for ${path}`,
        why: messageOf(cause),
        next: "check that the machine's metadata service is enabled (`aws ec2 describe-instances`, MetadataOptions: HttpEndpoint enabled; containers need a hop limit of 2)",
        cause,
      });
    return askAgain(once, { pace: METADATA_SERVER, isPassing, explain }, signal);
  };

  return {
    find: (path, signal) => asked(path, (answer) => (answer.status === 404 ? undefined : textOf(answer)), signal),
    read: (path, signal) => asked(path, textOf, signal),
  };
}

/** @throws Unwilling where the answer is not text */
function textOf({ status, body }: Answer): string {
  if (status === 200) return body.trim();
  throw new Unwilling(status);
}

/** The service responded, but not with the text. */
class Unwilling extends Error {
  readonly isPassing: boolean;
  constructor(status: number) {
    super(`it answered ${status}`);
    // 401: the token has expired. 429 and 5xx: throttled, or the service has just started.
    this.isPassing = status === 401 || status === 429 || status >= 500;
  }
}
