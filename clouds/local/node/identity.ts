import { createPublicKey, verify } from 'node:crypto';
import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import {
  EvidenceRefused,
  type EvidenceVerifier,
  type MachineIdentity,
  type VerifierFacts,
} from '@kopsctl/node-cloud/machine-identity.ts';
import type { VerifierOptions } from '@kopsctl/node-cloud/node-part.ts';
import { METADATA_URL, metadataClient } from './metadata-client.ts';

/** A machine gets its documents from the metadata service. */
export function localIdentity(baseUrl: string = METADATA_URL): MachineIdentity {
  const ask = metadataClient(baseUrl);
  return {
    evidence: (challenge, signal) =>
      ask(
        'prove which machine this is',
        {
          method: 'POST',
          path: '/v1/identity',
          body: JSON.stringify({ challenge: Buffer.from(challenge).toString('base64url') }),
        },
        parseDocument,
        signal,
      ),
  };
}

interface LocalVerifierFacts {
  /** DER of SubjectPublicKeyInfo, base64url. */
  readonly key: string;
}

/** A control plane asks its own metadata service for the key of the cloud. */
export function localVerifierFacts(baseUrl: string = METADATA_URL): VerifierFacts {
  const ask = metadataClient(baseUrl);
  return (signal) => ask('learn the key of the cloud', { path: '/v1/identity-key' }, parseFacts, signal);
}

/** The key is asked for each time: it is new whenever the cloud is started again. */
export function localVerifier({ cluster, facts }: VerifierOptions): EvidenceVerifier {
  return {
    async verify(evidence, challenge, signal) {
      const { statement, signature } = documentIn(evidence);
      const bytes = Buffer.from(statement, 'base64url');
      const { key } = parseFacts(await facts(signal));
      const publicKey = createPublicKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'spki' });
      if (!verify(null, bytes, publicKey, Buffer.from(signature, 'base64url'))) {
        throw new EvidenceRefused('the document is not signed by the cloud');
      }
      // Signed by the cloud, so these are its fields.
      const from = new FieldReader(JSON.parse(bytes.toString('utf8')));
      if (from.text('cluster') !== cluster) throw new EvidenceRefused('the document is for another cluster');
      if (from.text('challenge') !== Buffer.from(challenge).toString('base64url')) {
        throw new EvidenceRefused('the document is for another challenge');
      }
      return { instanceId: from.text('instanceId') };
    },
  };
}

interface Document {
  readonly statement: string;
  readonly signature: string;
}

function parseDocument(answer: unknown): Document {
  const from = new FieldReader(answer);
  const document = { statement: from.text('statement'), signature: from.text('signature') };
  if (from.faults.length > 0) throw new TypeError(`${from.faults.join(', ')} is missing`);
  return document;
}

function documentIn(evidence: unknown): Document {
  try {
    return parseDocument(evidence);
  } catch {
    throw new EvidenceRefused('the evidence is not a document of a local cloud');
  }
}

function parseFacts(answer: unknown): LocalVerifierFacts {
  const from = new FieldReader(answer);
  const key = from.text('key');
  if (from.faults.length > 0) throw new TypeError('key is missing');
  return { key };
}
