import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { metadataEndpoint, openMetadata } from '@kopsctl/google/metadata.ts';
import type { VerifierFacts } from '@kopsctl/node-cloud/machine-identity.ts';
import { googleKeysUrl } from './google-keys.ts';

/** Where a cluster is, and where Google's public keys are. */
interface GceVerifierFacts {
  readonly project: string;
  readonly keysUrl: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The project is that of this control plane. */
export function createGceVerifierFacts(env: Env): VerifierFacts {
  const metadata = openMetadata(metadataEndpoint(env));
  return async (signal): Promise<GceVerifierFacts> => ({
    project: await metadata.read('project/project-id', signal),
    keysUrl: googleKeysUrl(env),
  });
}

/** @throws with the paths of all fields that are missing or malformed */
export function parseGceVerifierFacts(value: unknown): GceVerifierFacts {
  const from = new FieldReader(value);
  const facts = { project: from.text('project'), keysUrl: from.text('keysUrl') };
  from.refuseFaults();
  return facts;
}
