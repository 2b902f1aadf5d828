import { EvidenceRefused } from '@kopsctl/node-cloud/machine-identity.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { RequestSignature } from '../sign-request.ts';

/** What a machine says about the request that it signed: nothing that an authority already knows. */
export interface AwsEvidence extends RequestSignature {
  readonly region: string;
  readonly sessionToken: string;
}

/** None of these characters can end a header or add a parameter to one. */
const FORMS: Readonly<Record<keyof AwsEvidence, RegExp>> = {
  region: /^[a-z]{2,8}(-[a-z]{2,16}){1,3}-\d{1,2}$/,
  // Only keys of roles: the others (AKIA) belong to users (IAM user guide, "IAM identifiers").
  accessKeyId: /^ASIA[A-Z0-9]{12,124}$/,
  date: /^\d{8}T\d{6}Z$/,
  // The length is undocumented; AWS sends about 1,000 characters.
  sessionToken: /^[A-Za-z0-9+/]{16,8192}={0,2}$/,
  signature: /^[0-9a-f]{64}$/,
};

/** AWS accepts a signed request for as long as this. */
const MAX_AGE_MS = 5 * 60 * 1000;

/**
 * Parses evidence from the network.
 *
 * @throws EvidenceRefused unless it has exactly these texts, in these forms, of this time
 */
export function parseAwsEvidence(value: unknown, nowMs: number): AwsEvidence {
  if (!isRecord(value)) {
    throw new EvidenceRefused('the evidence is not an object');
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: keyof AwsEvidence): string => {
    const found = fields.get(name);
    fields.delete(name);
    if (typeof found !== 'string' || !FORMS[name].test(found)) throw new EvidenceRefused(`${name} is not valid`);
    return found;
  };
  const evidence = {
    region: text('region'),
    accessKeyId: text('accessKeyId'),
    date: text('date'),
    sessionToken: text('sessionToken'),
    signature: text('signature'),
  };
  if (fields.size > 0) throw new EvidenceRefused(`it has ${fields.size} unknown fields`);
  const ageMs = nowMs - timeOf(evidence.date);
  // Also false for a date that does not exist.
  if (!(Math.abs(ageMs) <= MAX_AGE_MS)) throw new EvidenceRefused(`it was signed ${ageMs / 1000} s ago`);
  return evidence;
}

/** `20261122T210000Z` in milliseconds since 1970; not a number for a date that does not exist. */
const timeOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
