import { because } from './because.ts';
import { type Finding, isKnown, type NodeEvidence } from './evidence.ts';
import { presentLines, saidBy } from './journal.ts';
import { causeOf } from './known-causes.ts';
import { isApiNotAsked } from './own-access.ts';

/** Kubelet, protokube and others fail to reach the API server of their machine as long as it does not run. */
const ASKS_OWN_API = /https:\/\/(?:127\.0\.0\.1|localhost)[:/]|127\.0\.0\.1:443\b/;
/** Why the pod of the API server cannot run, as kubelet says it; not what becomes of requests that are about this pod. */
const OF_API_SERVER = /(?:StartContainer|start failed in pod|PodSandbox).*kube-apiserver/;
/** How TLS in Node refuses who answers. */
const OTHER_CERTIFICATE = /certificate|altnames/i;

/** What a program says last is why it ended. */
const MAX_TELLING = 20;
/** kubelet says at least every 15 s why a pod cannot run, and systemd starts an etcd that ended after a second. */
const SAID_AGAIN_MS = 60_000;
const ETCD_ENDED = /"level":"(?:fatal|panic)"|\]: panic: /;
/** etcd warns of much that it overcomes. */
const WARNS = /"level":"warn"/;

/** Why the API does not answer, as far as this machine can tell. Pure. */
export function silentApiFindings(evidence: NodeEvidence): readonly Finding[] {
  const { objects, machine, journal } = evidence;
  if (isKnown(objects) || isApiNotAsked(evidence)) return [];
  if (OTHER_CERTIFICATE.test(objects.failure)) {
    return [
      {
        what: 'the Kubernetes API answers with a certificate that this computer does not accept, so the state of the Node is not known',
        because: [objects.failure],
        next: 'look at what serves there: a proxy that ends TLS, or an API server with another certificate (`systemctl restart nodeup` on a control plane writes it as planned); if it is said to have expired, look at the clock of this computer too',
      },
    ];
  }
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
  const finding = whySilent(what, journal);
  return [{ ...finding, because: [objects.failure, ...finding.because] }];
}

/** What the logs of a control plane tell of an API server that does not run there. */
function whySilent(what: string, journal: readonly string[]): Finding {
  // The first that knows a cause is it: without etcd no API server runs, and what that logs says more than that it ended.
  const now = presentLines(journal, SAID_AGAIN_MS);
  const etcd = saidBy(now, 'etcd', 'etcd-manager').filter((line) => !WARNS.test(line));
  const apiServer = saidBy(journal, 'kube-apiserver').filter((line) => !ASKS_OWN_API.test(line));
  const pod = saidBy(now, 'kubelet').filter((line) => OF_API_SERVER.test(line) && !ASKS_OWN_API.test(line));
  const etcdEnded = etcd.findLast((line) => ETCD_ENDED.test(line));
  const endsAgain = pod.findLast((line) => line.includes('CrashLoopBackOff'));
  // What it cannot reach is an etcd, or a webhook or a client when it is stopped: the last explain nothing.
  const unreached = apiServer.filter((line) => causeOf(line)?.name === 'unreachable');
  const noEtcd = unreached.findLast((line) => line.includes('etcd'));
  const ofItself = apiServer.filter((line) => !unreached.includes(line));
  const reveals = [etcd, ofItself, pod.filter((line) => !line.includes('CrashLoopBackOff'))]
    .map((lines) => lines.slice(-MAX_TELLING))
    .find((lines) => lines.some((line) => causeOf(line) !== undefined));
  const next =
    'look at etcd (`kopsctl etcd doctor`), at the log of kube-apiserver (/var/log/pods/kube-system_kube-apiserver-*/kube-apiserver on the machine), and at `journalctl -u kubelet` there';
  if (reveals !== undefined) return because(what, reveals, next);
  if (etcdEnded !== undefined) return { what: `${what}: its etcd ends again and again`, because: [etcdEnded], next };
  if (noEtcd !== undefined) {
    return { what: `${what}: its kube-apiserver gets no answer from etcd`, because: [noEtcd], next };
  }
  const last = ofItself.slice(-1);
  if (endsAgain === undefined) return { what, because: last, next };
  return { what: `${what}: its kube-apiserver ends again and again`, because: [...last, endsAgain], next };
}
