import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { textFile } from './node-task.ts';
import { CA_FILE, KUBELET_BOOTSTRAP_KUBECONFIG, KUBELET_CURRENT_CERTIFICATE } from './paths.ts';

export const JOIN_GATE = '/opt/kops/bin/kubelet-join-gate';

/**
 * Holds back the very first start of a worker's kubelet until the cluster would accept its certificate request.
 * kubelet (1.20 to 1.33: client-go certificate manager) asks at once and then after 2, 4, 8, 16 and 32 seconds, so a
 * worker that boots beside its control plane would lose up to half a minute; asking twice a second costs nothing.
 * 404 is the good answer: the token is known and may read requests, only this one does not exist.
 */
export function joinGate(node: NodeContext): readonly Task[] {
  const url = `https://${node.apiInternalName}/apis/certificates.k8s.io/v1/certificatesigningrequests/kops-join-gate`;
  const script = [
    '#!/bin/sh',
    `[ ! -e ${KUBELET_CURRENT_CERTIFICATE} ] || exit 0`,
    '# Without curl kubelet finds its way alone, only later.',
    'command -v curl >/dev/null || exit 0',
    `token=$(sed -n 's/^ *token: *//p' ${KUBELET_BOOTSTRAP_KUBECONFIG} | tr -d '"')`,
    'ask() {',
    '  # By stdin: arguments can be seen by every process.',
    `  printf 'Authorization: Bearer %s' "$token" | curl -s -o /dev/null -w '%{http_code}' --max-time 5 --cacert ${CA_FILE} -H @- ${url}`,
    '}',
    'until [ "$(ask)" = 404 ]; do sleep 0.5; done',
    '',
  ].join('\n');
  return [textFile(JOIN_GATE, script, { mode: '0755' })];
}
