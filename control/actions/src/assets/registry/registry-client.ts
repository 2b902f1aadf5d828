import { streamFollowing } from '@kopsctl/http/follow-redirects.ts';
import type { Http, Question, StreamedAnswer } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import * as z from 'zod';
import type { Credentials } from './docker-credentials.ts';
import type { ImageAddress } from './image-address.ts';

export type Asked = Pick<Question, 'method' | 'headers' | 'body'> & {
  /** Below the image's name, or the whole address that the registry named. */
  readonly path: string;
  /** What is to be done with the image. */
  readonly right: 'pull' | 'push';
};

/** Asks the API of registries, and presents credentials where they want them. */
export interface RegistryClient {
  readonly ask: (image: ImageAddress, asked: Asked, signal: AbortSignal) => Promise<StreamedAnswer>;
}

const SILENCE_MS = 60_000;
const TOKEN_WITHIN_MS = 30_000;
const MAX_TOKEN_BYTES = 1 << 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function registryClient(http: Pick<Http, 'stream' | 'ask'>, credentials: Credentials): RegistryClient {
  /** By registry, name and right: the header that the registry wanted before. */
  const proofs = new Map<string, string>();

  const once = async (image: ImageAddress, asked: Asked, signal: AbortSignal): Promise<StreamedAnswer> => {
    const proof = proofs.get(keyOf(image, asked));
    const url = addressOf(image, asked);
    const isKnown = proof !== undefined && isOwn(image, url);
    const headers = { ...asked.headers, ...(isKnown && { authorization: proof }) };
    const { method, body } = asked;
    return http.stream({ method, url, headers, body, silenceMs: SILENCE_MS }, signal);
  };

  return {
    async ask(image, asked, signal) {
      let answer = await once(image, asked, signal);
      if (answer.status === 401 && isOwn(image, addressOf(image, asked))) {
        const proof = await proofFor(http, image, { answer, asked, basic: credentials.get(image.registry) }, signal);
        if (proof === undefined) return answer;
        answer.body.destroy();
        proofs.set(keyOf(image, asked), proof);
        answer = await once(image, asked, signal);
      }
      const { location } = answer.headers;
      if (asked.method !== 'GET' || !REDIRECTS.has(answer.status) || location === undefined) return answer;
      answer.body.destroy();
      // The server that keeps the bytes for the registry must not see the credentials.
      const url = new URL(location, image.base);
      return streamFollowing(http, { method: 'GET', url, silenceMs: SILENCE_MS }, signal);
    },
  };
}

const addressOf = ({ base, name }: ImageAddress, { path }: Asked): URL => new URL(path, `${base}/v2/${name}/`);

/** A registry may name any address for uploads. Another host must not see the credentials, nor say where they are sent. */
const isOwn = ({ base }: ImageAddress, { origin }: URL): boolean => origin === new URL(base).origin;

const keyOf = ({ registry, name }: ImageAddress, { right }: Asked): string => `${registry} ${name} ${right}`;

/** What the registry wants to see: a name and a password, or a token that another server gives for them or to anybody. */
async function proofFor(
  http: Pick<Http, 'ask'>,
  { name }: ImageAddress,
  { answer, asked, basic }: { answer: StreamedAnswer; asked: Asked; basic: string | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  const challenge = answer.headers['www-authenticate'] ?? '';
  if (/^basic/i.test(challenge)) return basic;
  const fields = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]));
  const realm = fields.get('realm');
  if (!/^bearer/i.test(challenge) || realm === undefined || !URL.canParse(realm)) return undefined;
  const url = new URL(realm);
  const service = fields.get('service');
  if (service !== undefined) url.searchParams.set('service', service);
  url.searchParams.set('scope', `repository:${name}:${asked.right === 'push' ? 'pull,push' : 'pull'}`);
  // Over plain http nobody but this computer is given a password.
  const isSafe = url.protocol === 'https:' || url.hostname === '127.0.0.1' || url.hostname === 'localhost';
  const headers = basic !== undefined && isSafe ? { authorization: basic } : {};
  const options = { withinMs: TOKEN_WITHIN_MS, maxBytes: MAX_TOKEN_BYTES };
  const { status, body } = await http.ask({ method: 'GET', url, headers, ...options }, signal);
  const token = status === 200 ? tokenIn(body) : undefined;
  return token && `Bearer ${token}`;
}

/** The token in an answer, under either of its names; undefined where there is none: the registry then says that it wants one. */
function tokenIn(body: string): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { token, access_token: other } = TOKEN.safeParse(answer).data ?? {};
  return token ?? other;
}

const TOKEN = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/** The answer's text, shortened, for messages. */
export const told = async ({ body }: StreamedAnswer): Promise<string> =>
  (await readWhole(body, MAX_TOKEN_BYTES)).toString('utf8').trim().slice(0, 300);
