import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { InstanceMetadata } from './metadata.ts';

/** The credentials that sign a request. */
export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Keys of a role, which are temporary. */
export interface RoleKeys extends Keys {
  readonly sessionToken: string;
}

interface Timed {
  readonly keys: RoleKeys;
  readonly expiresMs: number;
}

/** EC2 publishes new keys of a role at least five minutes before the old ones expire. */
const RENEW_BEFORE_MS = 5 * 60 * 1000;

const ROLE_PATH = 'iam/security-credentials/';

/** The keys of the machine's role, renewed before they expire; or those in the environment. */
export function machineCredentials(
  metadata: InstanceMetadata,
  env: Readonly<Record<string, string | undefined>>,
  nowMs: () => number,
): (signal: AbortSignal) => Promise<Keys> {
  const given = keysOf(env);
  return given === undefined ? roleCredentials(metadata, nowMs) : async () => given;
}

/** The keys of the machine's role, renewed before they expire. */
export function roleCredentials(
  metadata: InstanceMetadata,
  nowMs: () => number,
): (signal: AbortSignal) => Promise<RoleKeys> {
  let current: Timed | undefined;
  return async (signal) => {
    if (current !== undefined && nowMs() < current.expiresMs - RENEW_BEFORE_MS) return current.keys;
    try {
      current = await readRole(metadata, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      // If the service is briefly unavailable, keep the old keys while they are valid.
      if (current === undefined || nowMs() >= current.expiresMs) throw thrown;
    }
    return current.keys;
  };
}

function keysOf(env: Readonly<Record<string, string | undefined>>): Keys | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(token ? { sessionToken: token } : {}) };
}

async function readRole(metadata: InstanceMetadata, signal: AbortSignal): Promise<Timed> {
  const [role = ''] = (await metadata.read(ROLE_PATH, signal)).split('\n');
  const answer: Partial<Record<string, unknown>> | null = JSON.parse(
    await metadata.read(`${ROLE_PATH}${role}`, signal),
  );
  const { AccessKeyId, SecretAccessKey, Token, Expiration, Code } = answer ?? {};
  if (typeof AccessKeyId === 'string' && typeof SecretAccessKey === 'string' && typeof Token === 'string') {
    const keys = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
    return { keys, expiresMs: Date.parse(String(Expiration)) };
  }
  throw new ActionableError({
    what: `get credentials for the role ${role} of this machine`,
    why: `the metadata service answers ${JSON.stringify(Code ?? 'without keys')}`,
    next: 'check the instance profile of this machine and the trust policy of its role (aws iam get-role)',
  });
}
