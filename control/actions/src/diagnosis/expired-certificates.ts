import { readMachineState } from '../follow/read-machine-state.ts';
import { type Finding, isKnown, isReadyNow, type NodeEvidence } from './evidence.ts';

/** What authorities sign for kubelets lives for three days and is renewed with one left: with half of that, it was not. */
const KUBELET_WARN_BEFORE_MS = 12 * 60 * 60_000;

/** The certificates of a machine that have expired, or will within some time. Pure. */
export function certificateFindings(evidence: NodeEvidence, withinMs: number): readonly Finding[] {
  const { atMs, machine } = evidence;
  const isFromAuthority = isKnown(machine) && machine.role !== 'ControlPlane';
  const isSigned = (name: string): boolean => isFromAuthority && name.startsWith('kubelet-');
  const soon = certificatesOf(evidence).filter(({ name, notAfter }) => {
    const limitMs = isSigned(name) ? Math.min(withinMs, KUBELET_WARN_BEFORE_MS) : withinMs;
    return Date.parse(notAfter) - atMs <= limitMs;
  });
  return soon.map(({ name, notAfter, renewalFailure }) => {
    const hasExpired = Date.parse(notAfter) <= atMs;
    return {
      what: `the certificate ${name} of the machine ${hasExpired ? 'has expired' : 'expires soon and was not renewed'}, at ${notAfter}`,
      because: renewalFailure === undefined ? [] : [`it could not be renewed: ${renewalFailure}`],
      next: isSigned(name)
        ? 'node authorities renew it when they reach the machine: look at `journalctl -u protokube` there and at `journalctl -u node-authority` on control planes, and check that its clock is right (`timedatectl`)'
        : 'nodeup renews it: `systemctl restart nodeup` on the machine does it now, `journalctl -u nodeup` there says why it did not; check that its clock is right (`timedatectl`)',
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
