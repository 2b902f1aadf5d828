import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { isSigned, parseMachineKey } from '@kopsctl/node-identity/challenge.ts';
import { type FirstKey, firstKeyIn } from '@kopsctl/node-identity/host-record.ts';
import {
  EvidenceRefused,
  type EvidenceVerifier,
  type ProvenMachine,
  type VerifierFacts,
} from '@kopsctl/node-cloud/machine-identity.ts';
import type { VerifierOptions } from '@kopsctl/node-cloud/node-part.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { knownHosts } from './known-hosts.ts';

/** The keys that machines prove themselves with the first time, by their instance. */
type FirstKeys = Readonly<Record<string, FirstKey>>;

/** A control plane reads from the store which keys machines were enrolled with. */
export function metalVerifierFacts(cluster: string, openStore: () => Promise<StateStore>): VerifierFacts {
  let hosts: ReturnType<typeof knownHosts> | undefined;
  return async (signal) => {
    hosts ??= knownHosts(cluster, await openStore());
    const known = await hosts.read(signal);
    const firstKeys = known.flatMap(({ instanceId, firstKey }) => (firstKey ? [[instanceId, firstKey]] : []));
    return { firstKeys: Object.fromEntries(firstKeys) };
  };
}

/** An authority compares what a machine signed with the key that it was enrolled with. */
export function metalVerifier(facts: VerifierOptions['facts'], nowMs: () => number = Date.now): EvidenceVerifier {
  return {
    async verify(evidence, challenge, signal) {
      // Asked for each time: a machine that is enrolled later is known as well.
      return provenHost(firstKeysIn(await facts(signal)), evidence, challenge, nowMs());
    },
  };
}

function firstKeysIn(facts: unknown): FirstKeys {
  const from = new FieldReader(facts);
  const firstKeys = from.record('firstKeys', (keys, instanceId) => keys.object(instanceId, firstKeyIn));
  if (from.faults.length > 0) throw new TypeError(`${from.faults.join(', ')} is missing in what a control plane said`);
  return firstKeys;
}

/**
 * The machine that signed the challenge with its first key. That a key is good only once follows from the enrolment: another
 * machine key of the same instance is refused.
 *
 * @param evidence as it came from the network
 * @throws EvidenceRefused if it proves nothing
 */
function provenHost(firstKeys: FirstKeys, evidence: unknown, challenge: Uint8Array, nowMs: number): ProvenMachine {
  const from = new FieldReader(evidence);
  const instanceId = from.text('instanceId');
  const signature = from.text('signature');
  if (from.faults.length > 0) throw new EvidenceRefused(`its evidence lacks ${from.faults.join(', ')}`);
  const firstKey = Object.hasOwn(firstKeys, instanceId) ? firstKeys[instanceId] : undefined;
  if (firstKey === undefined) throw new EvidenceRefused('no machine was enrolled with a key under that id');
  const { publicKey, goodUntilMs } = firstKey;
  if (nowMs > goodUntilMs) throw new EvidenceRefused(`its key was valid until ${new Date(goodUntilMs).toISOString()}`);
  const key = parseMachineKey(Buffer.from(publicKey, 'base64url'));
  if (key === undefined) throw new EvidenceRefused('the key that the store keeps for it is not ECDSA on P-256');
  if (!isSigned(challenge, Buffer.from(signature, 'base64url'), key)) {
    throw new EvidenceRefused('it did not sign this challenge with the key that it was enrolled with');
  }
  return { instanceId };
}
