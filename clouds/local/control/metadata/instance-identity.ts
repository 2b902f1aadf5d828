import { generateKeyPairSync, sign } from 'node:crypto';
import { asRecord } from '@kopsctl/tasks/record.ts';
import type { MachineView } from '../records/records.ts';

/** What a machine shows an authority: a statement of this cloud, signed with the cloud's key. */
export interface IdentityDocument {
  /** Base64url of JSON: cluster, instance and challenge. */
  readonly statement: string;
  /** Ed25519, base64url. */
  readonly signature: string;
}

/** Base64url of 32 bytes. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** The local cloud's part in proving which machine a machine is. The key lives as long as the supervisor. */
export class InstanceIdentity {
  readonly #key = generateKeyPairSync('ed25519');

  /** The key that documents are verified with: DER of SubjectPublicKeyInfo, base64url. */
  get publicKey(): string {
    return this.#key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  }

  /** The document of a machine for the challenge in its question; undefined for anything that is not a challenge. */
  document(cluster: string, { name }: Pick<MachineView, 'name'>, question: unknown): IdentityDocument | undefined {
    const challenge = challengeIn(question);
    if (challenge === undefined) return undefined;
    const statement = Buffer.from(JSON.stringify({ cluster, instanceId: name, challenge }));
    return {
      statement: statement.toString('base64url'),
      signature: sign(null, statement, this.#key.privateKey).toString('base64url'),
    };
  }
}

function challengeIn(question: unknown): string | undefined {
  const { challenge } = asRecord(question);
  return typeof challenge === 'string' && CHALLENGE.test(challenge) ? challenge : undefined;
}
