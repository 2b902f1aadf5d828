import { lackingComponents } from '../validate/plan-validation.ts';
import { type Finding, isKnown, type NodeEvidence } from './evidence.ts';

/** kubelet sets it where a cloud controller manager is to fill in the Node (Kubernetes, cloud-provider/api). */
const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';

/** What a Ready Node lacks: components of the control plane that must run there, and pods that must not come there. Pure. */
export function placementFindings({ node, machine, objects }: NodeEvidence): readonly Finding[] {
  if (!isKnown(objects) || objects.node === undefined) return [];
  const { podNames, isCordoned, taints = [] } = objects;
  const lacking =
    podNames === undefined || !isKnown(machine) ? [] : lackingComponents(machine.role, node, new Set(podNames));
  return [
    ...lacking.map((component) => ({
      what: `the control plane has no ${component} pod`,
      because: [],
      next: `look at /etc/kubernetes/manifests/${component}.manifest on the machine: \`systemctl restart nodeup\` there writes it again; then at \`journalctl -u kubelet\``,
    })),
    ...(taints.includes(UNINITIALIZED)
      ? [
          {
            what: 'no cloud controller manager has filled in the Node yet, so pods do not come to it',
            because: [`it has the taint ${UNINITIALIZED}`],
            next: 'look at the pods of the cloud controller manager (`kopsctl get addons`, `kubectl get pods -n kube-system`)',
          },
        ]
      : []),
    ...(isCordoned === true
      ? [
          {
            what: 'the Node is cordoned, so new pods do not come to it',
            because: [],
            next: '`kubectl uncordon NODE`, unless a rolling update is replacing the machine (`kopsctl rolling-update status`)',
          },
        ]
      : []),
  ];
}
