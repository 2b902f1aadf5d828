import { pairFor, type RequestedPair } from '@kopsctl/protokube/identity/kubelet-credentials.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { AuthoritySession, Evidence } from '@kopsctl/node-identity/authority-session.ts';
import { type KubeletSubject, NODES_GROUP, nodeUser } from '@kopsctl/node-identity/certificate-request.ts';
import type { MachineKey } from '@kopsctl/node-identity/machine-key.ts';
import type { Certificates } from '@kopsctl/node-identity/messages.ts';
import { inspectCertificate } from '@kopsctl/pki/inspect.ts';
import { needsRenewal } from '@kopsctl/pki/renewal.ts';
import { ownKey } from './own-key.ts';

/** A machine of the simulation: what it has before an authority calls. */
export interface JoiningMachine {
  readonly subject: KubeletSubject;
  readonly key: MachineKey;
  readonly evidence: Evidence;
  /** Made before the clock starts: real machines have processors of their own for that. */
  readonly pair: RequestedPair;
  /** What its kubelet is known by, PEM. */
  readonly servingCa: string;
}

/** The same as for protokube of an enrolled machine, and of one that boots. */
const CALL_AGAIN_SECONDS = 300;
const CALL_AGAIN_SOON_SECONDS = 1;

export async function joiningMachine(
  { nodeName, address }: CloudMachine,
  evidence: Evidence,
  servingCa: string,
): Promise<JoiningMachine> {
  const subject = { nodeName, dnsNames: [nodeName], ipAddresses: [address] };
  return { subject, key: await ownKey(), evidence, pair: await pairFor(subject, undefined), servingCa };
}

/**
 * Joins as protokube does: attests, has both certificates signed, and hangs up. Resolves with false if that takes another
 * call.
 *
 * @throws if the certificates are not those of this machine
 */
export async function joinOnce(
  session: AuthoritySession,
  machine: JoiningMachine,
  signal: AbortSignal,
): Promise<boolean> {
  const { subject, key, evidence, pair, servingCa } = machine;
  const { clusterCa } = await session.attest(key, evidence, signal);
  for (;;) {
    const signed = await session.certificates(pair.requests, signal);
    if (signed === 'not-yet') continue;
    if (signed === 'at-next-call') {
      await session.goodbye({ againSeconds: CALL_AGAIN_SOON_SECONDS }, signal);
      return false;
    }
    const why = whyNotOurs(signed, pair.keys, subject, { client: clusterCa, serving: servingCa });
    if (why !== undefined) throw new Error(`${subject.nodeName} got wrong certificates: ${why}`);
    await session.goodbye({ againSeconds: CALL_AGAIN_SECONDS }, signal);
    return true;
  }
}

function whyNotOurs(
  signed: Certificates,
  keys: Certificates,
  { nodeName, dnsNames, ipAddresses }: KubeletSubject,
  authorities: Certificates,
): string | undefined {
  const named = { commonName: nodeUser(nodeName), organizations: [NODES_GROUP] };
  const client = inspectCertificate(signed.client, { authoritiesPem: authorities.client, privateKeyPem: keys.client });
  const serving = inspectCertificate(signed.serving, {
    authoritiesPem: authorities.serving,
    privateKeyPem: keys.serving,
  });
  return (
    needsRenewal(client, { ...named, usages: ['client'] }, Date.now()) ??
    needsRenewal(serving, { ...named, dnsNames, ipAddresses, usages: ['server'] }, Date.now())
  );
}
