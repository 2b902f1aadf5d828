import type { Task } from '@kopsctl/tasks/task.ts';
import { renderFlags, settingsOf, type Settings } from '../flags.ts';
import { kubernetesImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { fileId } from './node-task.ts';
import { CA_FILE, KUBELET_KUBECONFIG, KUBELET_PKI_DIR } from './paths.ts';
import { hostsMount, staticPod } from './static-pod.ts';

/** Of kube-proxy's own health check (`--healthz-bind-address`). */
const HEALTH_PORT = 10_256;

/**
 * kube-proxy's static pod. It speaks to the API as its node (RBAC: the addon `rbac` lets nodes be proxiers), so a
 * worker needs no second certificate. kubelet of a worker, which starts the pod, waits for that certificate itself.
 */
export function kubeProxy(node: NodeContext): readonly Task[] {
  const config = node.spec.kubeProxy ?? {};
  if (config.enabled !== true) return [];
  // Pods of an isolated control plane reach no Service (kops nodeup/pkg/model/kube_proxy.go).
  if (node.isControlPlane && node.spec.isolateMasters === true) return [];
  const image = kubernetesImage(node, 'kube-proxy');
  const settings: Settings = {
    // With an address of its own it need not ask the API for its node's, which may not be registered yet.
    bindAddress: '@{address}',
    ...settingsOf(config),
    hostnameOverride: '@{nodeName}',
    kubeconfig: KUBELET_KUBECONFIG,
    oomScoreAdj: -998,
  };
  return [
    ...image.tasks,
    staticPod(node, {
      name: 'kube-proxy',
      image,
      flags: renderFlags(settings, { names: {} }),
      resources: config,
      priorityClass: 'system-node-critical',
      labels: { tier: 'node' },
      privileged: true,
      // kubelet reports a change of a static pod at once, but its first state up to ten seconds late (status_manager.go,
      // syncPeriod): so there is a change, once it serves. It serves before it has reached the API.
      probes: {
        startup: { path: '/healthz', port: HEALTH_PORT, scheme: 'HTTP', periodSeconds: 1, failureThreshold: 600 },
      },
      mounts: [
        { name: 'kubeconfig', path: KUBELET_KUBECONFIG, readOnly: true, type: 'File' },
        { name: 'kubeletpki', path: KUBELET_PKI_DIR, readOnly: true, type: 'DirectoryOrCreate' },
        { name: 'kubernetesca', path: CA_FILE, readOnly: true, type: 'File' },
        { name: 'modules', path: '/lib/modules', readOnly: true },
        { name: 'iptableslock', path: '/run/xtables.lock', readOnly: false, type: 'FileOrCreate' },
        ...(node.isControlPlane ? [] : hostsMount(node)),
      ],
      after: [...(node.isControlPlane ? [fileId(CA_FILE)] : []), fileId(KUBELET_KUBECONFIG)],
    }),
  ];
}
