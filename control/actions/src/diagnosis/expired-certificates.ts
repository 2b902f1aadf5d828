import { readMachineState } from '../follow/read-machine-state.ts';
import { certificateRenewal } from '../validate/certificate-renewal.ts';
import { type Finding, isKnown, isReadyNow, type NodeEvidence } from './evidence.ts';

/** The certificates of a machine that have expired, or will within some time. Pure. */
export function certificateFindings(evidence: NodeEvidence, withinMs: number): readonly Finding[] {
  const { atMs, machine } = evidence;
  const renewalOf = (name: string) => certificateRenewal(name, isKnown(machine) && machine.role !== 'ControlPlane');
  const soon = certificatesOf(evidence).filter(
    ({ name, notAfter }) => Date.parse(notAfter) - atMs <= Math.min(withinMs, renewalOf(name).warnBeforeMs),
  );
  return soon.map(({ name, notAfter, renewalFailure }) => {
    const hasExpired = Date.parse(notAfter) <= atMs;
    return {
      what: `the certificate ${name} of the machine ${hasExpired ? 'has expired' : 'expires soon and was not renewed'}, at ${notAfter}`,
      because: renewalFailure === undefined ? [] : [`it could not be renewed: ${renewalFailure}`],
      next: renewalOf(name).next,
    };
  });
}

/**
 * The certificates of the machine as it last told of them, kubelet's first, then the one that ends first. Where its Node and the
 * store differ, the earlier end counts: one that was renewed lets kubelet work again, and then the Node has it.
 */
function certificatesOf(evidence: NodeEvidence): readonly ToldCertificate[] {
  const { objects, kept } = evidence;
  const state =
    isKnown(objects) && objects.node?.state !== undefined ? readMachineState(objects.node.state) : undefined;
  const told = Object.entries(state?.certificates ?? {});
  const all =
    isReadyNow(evidence) && told.length > 0 ? told : [...told, ...Object.entries(kept?.state.certificates ?? {})];
  const isKubelets = (name: string): number => (name.startsWith('kubelet') ? 0 : 1);
  const sorted = all
    .map(([name, certificate]) => ({ name, ...certificate }))
    .sort((a, b) => isKubelets(a.name) - isKubelets(b.name) || Date.parse(a.notAfter) - Date.parse(b.notAfter));
  return sorted.filter(({ name }, at) => sorted.findIndex((one) => one.name === name) === at);
}

interface ToldCertificate {
  readonly name: string;
  readonly notAfter: string;
  readonly renewalFailure?: string | undefined;
}
