import type { Task } from '@kopsctl/tasks/task.ts';
import { stringify } from 'yaml';
import { clientCertificate, certificateId } from './certificates.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, textFile } from './node-task.ts';
import {
  CA_FILE,
  CONTROLLER_MANAGER_DIR,
  KOPS_DIR,
  KOPS_KUBECONFIG,
  KUBELET_CLIENT,
  KUBELET_KUBECONFIG,
  KUBELET_PKI_DIR,
  SCHEDULER_DIR,
} from './paths.ts';

interface Credentials {
  readonly 'client-certificate'?: string;
  readonly 'client-key'?: string;
}

/**
 * A kubeconfig names its certificate by path, so a renewed certificate needs no new kubeconfig: client-go reads the
 * files again.
 */
export function kubeconfigText(server: string, user: string, credentials: Credentials): string {
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'local', cluster: { 'certificate-authority': CA_FILE, server } }],
      users: [{ name: user, user: credentials }],
      contexts: [{ name: 'service-account-context', context: { cluster: 'local', user } }],
      'current-context': 'service-account-context',
    },
    { lineWidth: 0 },
  );
}

/** A certificate of the cluster's CA and the kubeconfig that uses it. */
function issued(options: {
  readonly name: string;
  readonly kubeconfig: string;
  readonly dir: string;
  readonly commonName: string;
  readonly organizations?: readonly string[];
}): readonly Task[] {
  const certificate = clientCertificate({ ...options, basePath: `${options.dir}/${options.name}` });
  const text = kubeconfigText('https://127.0.0.1', options.name, {
    'client-certificate': `${options.dir}/${options.name}.crt`,
    'client-key': `${options.dir}/${options.name}.key`,
  });
  return [
    certificate,
    textFile(options.kubeconfig, text, { mode: '0600', after: after(certificateId(options.name), fileId(CA_FILE)) }),
  ];
}

/** How each part of a control-plane machine reaches its own API server. */
export function controlPlaneKubeconfigs(): readonly Task[] {
  return [
    ...issued({
      name: 'kubelet-client',
      kubeconfig: KUBELET_KUBECONFIG,
      dir: KUBELET_PKI_DIR,
      commonName: 'system:node:@{nodeName}',
      organizations: ['system:nodes'],
    }),
    ...issued({
      name: 'kube-controller-manager',
      kubeconfig: `${CONTROLLER_MANAGER_DIR}/kubeconfig`,
      dir: CONTROLLER_MANAGER_DIR,
      commonName: 'system:kube-controller-manager',
    }),
    ...issued({
      name: 'kube-scheduler',
      kubeconfig: `${SCHEDULER_DIR}/kubeconfig`,
      dir: SCHEDULER_DIR,
      commonName: 'system:kube-scheduler',
    }),
    ...issued({
      name: 'kops',
      kubeconfig: KOPS_KUBECONFIG,
      dir: KOPS_DIR,
      commonName: 'kops',
      organizations: ['system:masters'],
    }),
  ];
}

/** A worker's certificate is signed once it has proven itself; protokube writes it, and then kubelet starts. */
export const workerKubeconfigs = (node: NodeContext): readonly Task[] => [
  textFile(
    KUBELET_KUBECONFIG,
    kubeconfigText(`https://${node.apiInternalName}`, 'kubelet', {
      'client-certificate': `${KUBELET_CLIENT}.crt`,
      'client-key': `${KUBELET_CLIENT}.key`,
    }),
    { mode: '0600' },
  ),
];
