import { taskId, type Task, type TaskId } from '@kopsctl/tasks/task.ts';
import { bareVersion } from '../kubernetes-versions.ts';
import type { NodeContext } from './node-context.ts';
import { after, assetTask, nodeTask } from './node-task.ts';

/** An image that a static pod needs: where it comes from and what manifests call it. */
export interface NodeImage {
  readonly reference: string;
  readonly task: TaskId;
  readonly tasks: readonly Task[];
}

/** The unit an image can be imported through. */
export function runtimeService(node: NodeContext): TaskId {
  return node.runtime === 'docker' ? 'Service/docker.service' : 'Service/containerd.service';
}

/** One of Kubernetes's own images, e.g. kube-apiserver, of the cluster's version. */
export function kubernetesImage(node: NodeContext, component: string): NodeImage {
  return nodeImage(node, component, node.kubernetesVersion);
}

/** The image that holds a pod's namespaces; nothing starts without it. */
export function pauseImage(node: NodeContext): NodeImage {
  return nodeImage(node, 'pause');
}

/** On local machines, which reach no registry: every other image that the assets hold, for pods to run. */
export function extraImages(node: NodeContext): readonly Task[] {
  if (node.cloud !== 'local') return [];
  const own = ['pause', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'];
  const names = new Set(node.assets.all('image/').map(({ name }) => name.slice('image/'.length)));
  return [...names]
    .filter((name) => !own.includes(name))
    .sort()
    .flatMap((name) => nodeImage(node, name).tasks);
}

function nodeImage(node: NodeContext, name: string, version?: string): NodeImage {
  const entry = node.assets.find(`image/${name}`, version === undefined ? undefined : bareVersion(version));
  const asset = assetTask(node, entry);
  const reference = entry.image ?? `k8s.gcr.io/${name}:v${bareVersion(entry.version)}`;
  const image = nodeTask('Image', name, {
    runtime: node.runtime,
    assetPath: { ref: taskId(asset), output: 'path' },
    image: reference,
    after: after(runtimeService(node)),
  });
  return { reference, task: taskId(image), tasks: [asset, image] };
}
