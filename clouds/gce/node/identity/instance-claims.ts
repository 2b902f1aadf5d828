import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { EvidenceRefused, type ProvenMachine } from '@kopsctl/node-cloud/machine-identity.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { idOf } from '../resource-name.ts';

export interface ExpectedClaims {
  readonly audience: string;
  readonly project: string;
}

const ISSUER = 'https://accounts.google.com';
/** A machine asks for its token when it has the challenge, and sends it at once. */
const MAX_AGE_MS = 60_000;

/**
 * Finds out which machine Google's claims are of (cloud.google.com/compute/docs/instances/verifying-instance-identity).
 *
 * @throws EvidenceRefused unless they are of a machine of the project, for this audience, and were made just now
 */
export function machineOfClaims(claims: unknown, expected: ExpectedClaims, nowMs: number): ProvenMachine {
  try {
    return readMachine(new AnswerFields(claims, 'Google', 'the token'), claims, expected, nowMs);
  } catch (thrown) {
    throw thrown instanceof EvidenceRefused ? thrown : new EvidenceRefused(messageOf(thrown), { cause: thrown });
  }
}

function readMachine(
  claims: AnswerFields,
  raw: unknown,
  { audience, project }: ExpectedClaims,
  nowMs: number,
): ProvenMachine {
  insist(claims.text('iss') === ISSUER, 'the token was not issued by Google');
  insist(claims.text('aud') === audience, 'the token is for another cluster or another challenge');
  const ageMs = nowMs - claims.count('iat') * 1000;
  insist(Math.abs(ageMs) <= MAX_AGE_MS, `the token was issued ${ageMs / 1000} s ago`);
  insist(nowMs < claims.count('exp') * 1000, 'the token has expired');
  insist(isEmailVerified(raw), 'the address of the service account is not verified');
  const email = matched(claims, 'email', /^[\w.+-]{1,128}@[a-z0-9.-]{1,253}$/);
  // Google puts these only into tokens that a machine asks its metadata server for, with `format=full`. Tokens for the
  // same service account from elsewhere lack them, and those who may make them cannot add claims (Vault's
  // CVE-2020-16251 was to accept claims that the key of a service account had signed).
  const instance = claims.object('google').object('compute_engine');
  insist(instance.text('project_id') === project, 'the machine is in another project');
  matched(instance, 'instance_id', /^[1-9]\d{0,19}$/);
  const zone = matched(instance, 'zone', /^[a-z][a-z0-9-]{0,62}$/);
  const name = matched(instance, 'instance_name', /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
  return { instanceId: idOf({ zone, name }), principal: email };
}

function matched(fields: AnswerFields, name: string, form: RegExp): string {
  const text = fields.text(name);
  insist(form.test(text), `${name} of the token has an unexpected form`);
  return text;
}

const isEmailVerified = (claims: unknown): boolean => asRecord(claims)['email_verified'] === true;

function insist(isRight: boolean, otherwise: string): void {
  if (!isRight) throw new EvidenceRefused(otherwise);
}
