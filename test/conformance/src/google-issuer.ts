import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { GceMachine } from './gce-machine.ts';
import { type Place, serve, type TestServer } from './serve-test-server.ts';

/** Google, as it signs tokens for machines and publishes its keys. */
export interface GoogleIssuer extends TestServer {
  /** A token for a machine, in the form of Google's documentation ("Verify VM identity"). */
  tokenFor(machine: GceMachine, query: URLSearchParams): string;
  /** Signs any claims. */
  sign(claims: unknown): string;
  /** From now on another key signs. The old one stays published until the next rotation. */
  rotate(): void;
  /** Does something else instead of the next answers, or undefined: sends the keys. */
  answerBy(status: number | undefined): void;
}

export const CACHED_SECONDS = 20_000;

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export async function serveGoogle(place?: Place): Promise<GoogleIssuer> {
  let made = 0;
  const makeKey = (): SigningKey => ({
    kid: `key-${(made += 1)}`,
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
  });
  let keys: readonly SigningKey[] = [makeKey()];
  let status: number | undefined;
  const server = await serve((_, answer) => {
    if (status !== undefined) return answer.writeHead(status).end();
    const published = keys.map(({ kid, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg: 'RS256',
      use: 'sig',
    }));
    answer.setHeader('cache-control', `public, max-age=${CACHED_SECONDS}, must-revalidate, no-transform`);
    return answer.end(JSON.stringify({ keys: published }));
  }, place);
  const signed = (claims: unknown): string => {
    const [key] = keys;
    if (key === undefined) throw new Error('there is no key');
    return signToken({ alg: 'RS256', kid: key.kid, typ: 'JWT' }, claims, key.privateKey);
  };
  return {
    ...server,
    sign: signed,
    tokenFor: (machine, query) => signed(claimsOf(machine, query)),
    rotate: () => {
      keys = [makeKey(), ...keys.slice(0, 1)];
    },
    answerBy: (next) => void (status = next),
  };
}

/** What Google says of a machine that asks with this query. Without `format=full` it says nothing of the machine. */
export function claimsOf(machine: GceMachine, query: URLSearchParams): Readonly<Record<string, unknown>> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const instance = {
    instance_creation_timestamp: nowSeconds - 60,
    instance_id: '1234567890123456789',
    instance_name: machine.name,
    project_id: machine.project,
    project_number: 123_456_789_012,
    zone: machine.zone,
  };
  return {
    aud: query.get('audience'),
    azp: '112179062720391305885',
    email: machine.email ?? `nodes@${machine.project}.iam.gserviceaccount.com`,
    email_verified: true,
    exp: nowSeconds + 3600,
    ...(query.get('format') === 'full' && { google: { compute_engine: instance } }),
    iat: nowSeconds,
    iss: 'https://accounts.google.com',
    sub: '112179062720391305885',
  };
}

export function signToken(header: object, claims: unknown, key: KeyObject): string {
  const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
