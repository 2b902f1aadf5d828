import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { isSigned, parseMachineKey } from '@kopsctl/node-identity/challenge.ts';
import type { HostRecord } from '@kopsctl/node-identity/host-record.ts';
import { EvidenceRefused, type EvidenceVerifier, type ProvenMachine } from '@kopsctl/node-cloud/machine-identity.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { knownHosts } from './known-hosts.ts';

/** An authority compares what a machine signed with the key that the store keeps for it. */
export function metalVerifier(
  cluster: string,
  openStore: () => Promise<StateStore>,
  nowMs: () => number = Date.now,
): EvidenceVerifier {
  let hosts: ReturnType<typeof knownHosts> | undefined;
  return {
    async verify(evidence, challenge, signal) {
      hosts ??= knownHosts(cluster, await openStore());
      return provenHost(await hosts.read(signal), evidence, challenge, nowMs());
    },
  };
}

/**
 * The machine that signed the challenge with its first key. That a key is good once follows from the enrolment: another
 * machine key of the same instance is refused.
 *
 * @param evidence as it came from the network
 * @throws EvidenceRefused if it proves nothing
 */
function provenHost(
  hosts: readonly HostRecord[],
  evidence: unknown,
  challenge: Uint8Array,
  nowMs: number,
): ProvenMachine {
  const from = new FieldReader(evidence);
  const instanceId = from.text('instanceId');
  const signature = from.text('signature');
  if (from.faults.length > 0) throw new EvidenceRefused(`its evidence lacks ${from.faults.join(', ')}`);
  const host = hosts.find((one) => one.instanceId === instanceId);
  if (host?.firstKey === undefined) throw new EvidenceRefused('no machine was enrolled with a key under that id');
  const { publicKey, goodUntilMs } = host.firstKey;
  if (nowMs > goodUntilMs) throw new EvidenceRefused(`its key was good until ${new Date(goodUntilMs).toISOString()}`);
  const key = parseMachineKey(Buffer.from(publicKey, 'base64url'));
  if (key === undefined) throw new EvidenceRefused('the key that the store keeps for it is not ECDSA on P-256');
  if (!isSigned(challenge, Buffer.from(signature, 'base64url'), key)) {
    throw new EvidenceRefused('it did not sign this challenge with the key that it was enrolled with');
  }
  return { instanceId };
}
