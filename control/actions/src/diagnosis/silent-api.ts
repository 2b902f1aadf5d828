import { because } from './because.ts';
import { type Finding, isKnown, type NodeEvidence } from './evidence.ts';
import { presentLines, saidBy } from './journal.ts';
import { causeOf } from './known-causes.ts';
import { isApiNotAsked } from './own-access.ts';

/** Kubelet, protokube and others fail to reach the API server of their machine as long as it does not run. */
const ASKS_OWN_API = /https:\/\/(?:127\.0\.0\.1|localhost)[:/]|127\.0\.0\.1:443\b/;
/** What kubelet says about the pod of the API server, not about its requests. */
const OF_API_SERVER = /kube-apiserver/;

/** What a program says last is why it ended. */
const MAX_TELLING = 20;
/** kubelet repeats it at least every 15 s, as long as the pod cannot run. */
const OF_POD_MS = 60_000;
/** etcd warns of much that it overcomes. */
const WARNS = /"level":"warn"/;

/** Why the API does not answer, as far as this machine can tell. Pure. */
export function silentApiFindings(evidence: NodeEvidence): readonly Finding[] {
  const { objects, machine, journal } = evidence;
  if (isKnown(objects) || isApiNotAsked(evidence)) return [];
  const what = 'the Kubernetes API does not answer, so the state of the Node is not known';
  if (isKnown(machine) && machine.role === 'Node') {
    return [
      {
        what,
        because: [objects.failure],
        next: 'look at the control planes first: `kopsctl validate cluster`, and `kopsctl explain node` with the name of a control plane',
      },
    ];
  }
  // The first that knows a cause is it: without etcd no API server runs, and what that logs says more than that it ended.
  const etcd = saidBy(journal, 'etcd', 'etcd-manager').filter((line) => !WARNS.test(line));
  const apiServer = saidBy(journal, 'kube-apiserver').filter((line) => !ASKS_OWN_API.test(line));
  const kubelet = saidBy(presentLines(journal, OF_POD_MS), 'kubelet');
  const pod = kubelet.filter((line) => OF_API_SERVER.test(line) && !ASKS_OWN_API.test(line));
  const endsAgain = pod.findLast((line) => line.includes('CrashLoopBackOff'));
  const reveals = [etcd, apiServer, pod.filter((line) => !line.includes('CrashLoopBackOff'))]
    .map((lines) => lines.slice(-MAX_TELLING))
    .find((lines) => lines.some((line) => causeOf(line) !== undefined));
  const next =
    'look at etcd (`kopsctl etcd doctor`), at the log of kube-apiserver (/var/log/pods/kube-system_kube-apiserver-*/kube-apiserver on the machine), and at `journalctl -u kubelet` there';
  const finding =
    reveals === undefined && endsAgain !== undefined
      ? { what: `${what}: its kube-apiserver ends again and again`, because: [...apiServer.slice(-1), endsAgain], next }
      : because(what, reveals ?? apiServer.slice(-1), next);
  return [{ ...finding, because: [objects.failure, ...finding.because] }];
}
