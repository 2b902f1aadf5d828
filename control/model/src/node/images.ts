import { taskId, type Task, type TaskId } from '@kopsctl/tasks/task.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { containerdSettings } from '../containerd-settings.ts';
import type { NodeContext } from './node-context.ts';
import { after, assetTask, nodeTask } from './node-task.ts';

/** An image that a static pod needs: where it comes from and what manifests call it. */
export interface NodeImage {
  readonly reference: string;
  /** None where the runtime pulls the image from a registry. */
  readonly tasks: readonly Task[];
  readonly needs: readonly TaskId[];
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

/** Where machines reach no registry: every other image that the assets hold, for pods to run. */
export function extraImages(node: NodeContext): readonly Task[] {
  if (!node.cloud.traits.bringsImages) return [];
  const own = ['pause', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'];
  const names = new Set(node.assets.all('image/').map(({ name }) => name.slice('image/'.length)));
  return [...names]
    .filter((name) => !own.includes(name))
    .sort()
    .flatMap((name) => nodeImage(node, name).tasks);
}

function nodeImage(node: NodeContext, name: string, version?: string): NodeImage {
  if (!node.cloud.traits.bringsImages) return { reference: pulled(node, name, version), tasks: [], needs: [] };
  const entry = node.assets.find(`image/${name}`, version === undefined ? undefined : bareVersion(version));
  const asset = assetTask(node, entry);
  const reference = entry.image ?? `k8s.gcr.io/${name}:v${bareVersion(entry.version)}`;
  const image = nodeTask('Image', name, {
    runtime: node.runtime,
    assetPath: { ref: taskId(asset), output: 'path' },
    image: reference,
    after: after(runtimeService(node)),
  });
  return { reference, needs: [taskId(image)], tasks: [asset, image] };
}

/** The spec's own image of a component, or the one that Kubernetes publishes. */
function pulled({ spec, kubernetes, instanceGroup }: NodeContext, name: string, version: string | undefined): string {
  if (name === 'pause') return containerdSettings(spec, instanceGroup).sandboxImage ?? kubernetes.pauseImage;
  const own: Readonly<Record<string, string | undefined>> = {
    'kube-apiserver': spec.kubeAPIServer?.image,
    'kube-controller-manager': spec.kubeControllerManager?.image,
    'kube-scheduler': spec.kubeScheduler?.image,
    'kube-proxy': spec.kubeProxy?.image,
  };
  return own[name] ?? `registry.k8s.io/${name}:v${bareVersion(version ?? '')}`;
}
