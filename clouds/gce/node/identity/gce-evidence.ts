import { EvidenceRefused } from '@kopsctl/node-cloud/machine-identity.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

/** What a machine sends: a token that Google signed. */
export interface GceEvidence {
  readonly token: string;
}

/** @throws EvidenceRefused unless it is exactly that */
export function parseGceEvidence(value: unknown): GceEvidence {
  if (!isRecord(value)) throw new EvidenceRefused('the evidence is not an object');
  const [[name, token] = [], ...others] = Object.entries(value);
  if (name !== 'token' || typeof token !== 'string' || others.length > 0) {
    throw new EvidenceRefused('the evidence is not one token');
  }
  return { token };
}
