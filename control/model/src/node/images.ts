import { KUBERNETES_REGISTRY } from '@kopsctl/spec/kubernetes-images.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { taskId, type Task, type TaskId } from '@kopsctl/tasks/task.ts';
import { runnableAddons } from '../addons/runnable-addons.ts';
import type { Asset } from '../assets/asset-catalog.ts';
import { completedValue } from '../completed-value.ts';
import { containerdSettings } from '../runtime/containerd-settings.ts';
import type { NodeContext } from './node-context.ts';
import { after, nodeTask } from './node-task.ts';

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

/** Images that the node's own tasks name. */
const OWN = new Set(['pause', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy']);

/**
 * Where machines reach no registry: the images of the cluster's addons. Docker has no registry on the machines' network
 * either, so it also gets every other image that the assets hold, in the newest version.
 */
export function extraImages(node: NodeContext): readonly Task[] {
  if (!node.cloud.traits.bringsImages) return [];
  const used = runnableAddons(node, [node.instanceGroup]).images;
  const entries = node.assets.all('image/').filter(({ name }) => !OWN.has(nameOf(name)));
  return [...Map.groupBy(entries, ({ name }) => name)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, versions]) => {
      const wanted = versions.filter(({ image }) => image !== undefined && used.has(image));
      const chosen = wanted.length > 0 || node.runtime !== 'docker' ? wanted : versions.slice(0, 1);
      return chosen.flatMap((entry, index) => imported(node, entry, index === 0 ? '' : `-${entry.version}`).tasks);
    });
}

const nameOf = (asset: string): string => asset.slice('image/'.length);

function nodeImage(node: NodeContext, name: string, version?: string): NodeImage {
  if (!node.cloud.traits.bringsImages) return { reference: pulled(node, name), tasks: [], needs: [] };
  return imported(node, node.assets.find(`image/${name}`, version === undefined ? undefined : bareVersion(version)));
}

/** @param suffix tells several versions of an image apart */
function imported(node: NodeContext, entry: Asset, suffix = ''): NodeImage {
  const name = nameOf(entry.name);
  const reference = entry.image ?? `${KUBERNETES_REGISTRY}/${name}:v${bareVersion(entry.version)}`;
  const { address } = containerdSettings(node.spec, node.instanceGroup);
  const image = nodeTask('Image', `${name}${suffix}`, {
    runtime: node.runtime,
    ...(address === undefined ? {} : { socket: address }),
    urls: node.assets.urls(entry),
    sha256: node.assets.sha256(entry),
    image: reference,
    after: after(runtimeService(node)),
  });
  return { reference, needs: [taskId(image)], tasks: [image] };
}

/** The image in the completed spec. */
function pulled({ spec, instanceGroup }: NodeContext, name: string): string {
  const images: Readonly<Record<string, string | undefined>> = {
    // Only with containerd is the image a setting of the runtime.
    pause: containerdSettings(spec, instanceGroup).sandboxImage ?? spec.kubelet?.podInfraContainerImage,
    'kube-apiserver': spec.kubeAPIServer?.image,
    'kube-controller-manager': spec.kubeControllerManager?.image,
    'kube-scheduler': spec.kubeScheduler?.image,
    'kube-proxy': spec.kubeProxy?.image,
  };
  return completedValue(`image of ${name}`, images[name]);
}
