/** A machine's side of proving which machine of its cloud it is. */
export interface MachineIdentity {
  /**
   * Evidence from the cloud, as JSON, that is valid for this challenge only.
   *
   * @param challenge 32 bytes that nobody could know before: the hash of what an authority and this machine agreed on
   */
  evidence(challenge: Uint8Array, signal: AbortSignal): Promise<object>;
}

/**
 * The facts with which evidence of a cloud is verified, as JSON: a control plane may ask its cloud for them, and an
 * authority may not. None of them is secret.
 */
export type VerifierFacts = (signal: AbortSignal) => Promise<object>;

/** An authority's side: verifies evidence that comes from the network. */
export interface EvidenceVerifier {
  /** @throws EvidenceRefused if it proves nothing; any other error means that the cloud could not be asked */
  verify(evidence: unknown, challenge: Uint8Array, signal: AbortSignal): Promise<ProvenMachine>;
}

/** What evidence proves. The authority's own list decides whether that machine is one of the cluster. */
export interface ProvenMachine {
  readonly instanceId: string;
  /** The identity with which it acts in its cloud (AWS: the name of its role, GCE: the address of its service account). */
  readonly principal?: string;
}

/** The reason is only for the logs of the authority: it would help an attacker. */
export class EvidenceRefused extends Error {
  override readonly name = 'EvidenceRefused';
}
