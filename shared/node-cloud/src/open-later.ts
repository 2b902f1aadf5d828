import type { EvidenceVerifier, MachineIdentity, VerifierFacts } from './machine-identity.ts';

/** A machine's identity whose code is loaded when it is asked for: most agents never ask, and a node asks once per boot. */
export function identityOpenedLater(open: () => Promise<MachineIdentity>): MachineIdentity {
  let opened: Promise<MachineIdentity> | undefined;
  return { evidence: async (challenge, signal) => (await (opened ??= open())).evidence(challenge, signal) };
}

/** The same for verifiers: only an authority asks. */
export function verifierOpenedLater(open: () => Promise<EvidenceVerifier>): EvidenceVerifier {
  let opened: Promise<EvidenceVerifier> | undefined;
  return {
    verify: async (evidence, challenge, signal) => (await (opened ??= open())).verify(evidence, challenge, signal),
  };
}

/** The same for what verifiers are told: a control plane is asked once after each start of its authority. */
export function verifierFactsOpenedLater(open: () => Promise<VerifierFacts>): VerifierFacts {
  let opened: Promise<VerifierFacts> | undefined;
  return async (signal) => (await (opened ??= open()))(signal);
}
