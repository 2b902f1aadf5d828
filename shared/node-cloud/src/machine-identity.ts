/** A machine's side of proving which machine of its cloud it is. */
export interface MachineIdentity {
  /**
   * Evidence from the cloud, JSON, that is good for this challenge alone.
   *
   * @param challenge 32 bytes that nobody could know before: the hash of what an authority and this machine agreed on
   */
  evidence(challenge: Uint8Array, signal: AbortSignal): Promise<object>;
}

/**
 * What evidence of a cloud is verified with, JSON: what a control plane may ask its cloud and an authority may not. None of
 * it is secret.
 */
export type VerifierFacts = (signal: AbortSignal) => Promise<object>;

/** An authority's side: what it makes of evidence that comes from the network. */
export interface EvidenceVerifier {
  /** @throws EvidenceRefused if it proves nothing; any other error says that the cloud could not be asked */
  verify(evidence: unknown, challenge: Uint8Array, signal: AbortSignal): Promise<ProvenMachine>;
}

/** What evidence proves. Whether that machine is one of the cluster is for the authority's own list to say. */
export interface ProvenMachine {
  readonly instanceId: string;
  /** As whom it acts in its cloud (AWS: the name of its role, GCE: the address of its service account). */
  readonly principal?: string;
}

/** The reason is for logs of the authority alone: it would teach an attacker. */
export class EvidenceRefused extends Error {
  override readonly name = 'EvidenceRefused';
}
