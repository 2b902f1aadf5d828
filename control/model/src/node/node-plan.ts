import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import type { AssetSource } from '../assets/asset-catalog.ts';
import { isIpv6Only } from '../discovery.ts';
import { agents } from './agents.ts';
import { apiServerCertificates, ciliumEtcdClient, controllerManagerKeys, trustedCa } from './certificates.ts';
import { usesKubenet } from '@kopsctl/spec/names.ts';
import { cni } from './cni.ts';
import { discoveryEndpoint } from './discovery-endpoint.ts';
import { etcd } from './etcd.ts';
import { fileAssets } from './file-assets.ts';
import { hooks } from './hooks.ts';
import { extraImages, pauseImage } from './images.ts';
import { kubeApiserver } from './kube-apiserver.ts';
import { kubeControllerManager } from './kube-controller-manager.ts';
import { kubeProxy } from './kube-proxy.ts';
import { kubeScheduler } from './kube-scheduler.ts';
import { controlPlaneKubeconfigs, workerKubeconfigs } from './kubeconfigs.ts';
import { kubectl } from './kubectl.ts';
import { kubelet } from './kubelet.ts';
import { logrotate } from './logrotate.ts';
import { masquerade } from './masquerade.ts';
import { metadataGuard } from './metadata-guard.ts';
import { modules } from './modules.ts';
import { nodeAuthority } from './node-authority.ts';
import { nodeContext, type NodeContext, type NodePlanInput } from './node-context.ts';
import { packages } from './packages.ts';
import { podNetwork } from './pod-network.ts';
import { routerAdvertisements } from './router-advertisements.ts';
import { runtimeContainerd } from './runtime-containerd.ts';
import { runtimeDocker } from './runtime-docker.ts';
import { installedTools } from './installed-tools.ts';
import { serviceGuard } from './service-guard.ts';
import { keysetsOf } from './node-keysets.ts';
import { sysctls } from './sysctls.ts';
import { timeService, updates } from './time-and-updates.ts';
import { afterMounts, volumeMounts } from './volume-mounts.ts';
import { warmImages } from './warm-images.ts';

/**
 * Everything a machine of an instance group must be. Tasks that are ready at the
 * same time are started in this order: agents first, then the runtime, then images, the API server's before the others.
 *
 * @param assetBaseUrls where the files of the index can be downloaded, tried in order
 */
export function buildNodePlan(input: NodePlanInput, assets: AssetSource, assetBaseUrls: readonly string[]): NodePlan {
  const node = nodeContext(input, assets, assetBaseUrls);
  const keysets = keysetsOf(node);
  const launchHook = node.cloud.launchHook?.(node, node.instanceGroup);
  return {
    apiVersion: 'kopsctl.io/v1',
    kind: 'NodePlan',
    cluster: node.clusterName,
    instanceGroup: node.instanceGroup.metadata.name,
    role: node.role,
    kubernetesVersion: node.kubernetesVersion,
    ...(node.cloud.namesFromAddresses?.(node) === true && { namesFromAddresses: true }),
    ...(isIpv6Only(node) && { isIpv6Only: true }),
    ...(Object.keys(keysets).length === 0 ? {} : { keysets }),
    ...(node.cloud.hasWarmPool?.(node.instanceGroup) === true && { hasWarmPool: true }),
    ...(launchHook && { launchHook }),
    tasks: withoutConflicts(node, afterMounts(tasksOf(node))),
  };
}

function tasksOf(node: NodeContext): readonly Task[] {
  if (node.role === 'ControlPlane') return controlPlane(node);
  if (node.role === 'Node') return worker(node);
  if (node.role === 'APIServer') return apiServer(node);
  throw new ActionableError({
    what: `plan the nodes of instance group ${node.instanceGroup.metadata.name}`,
    why: `machines of role ${node.role} are not nodes`,
    next: 'ask for the plan of a group that runs Kubernetes',
  });
}

function controlPlane(node: NodeContext): readonly Task[] {
  return [
    ...etcd(node),
    ...agents(node),
    ...runtime(node),
    ...pauseImage(node).tasks,
    ...trustedCa(),
    ...nodeAuthority(node),
    ...apiServerCertificates(node),
    ...ciliumEtcdClient(node),
    ...controllerManagerKeys(),
    ...controlPlaneKubeconfigs(),
    ...kubelet(node),
    ...kubeApiserver(node),
    ...kubeControllerManager(node),
    ...kubeScheduler(node),
    ...kubeProxy(node),
    ...kubectl(node),
    ...discoveryEndpoint(node),
    ...host(node),
  ];
}

/** A worker with an API server of its own; etcd and the controllers stay on the control plane. */
function apiServer(node: NodeContext): readonly Task[] {
  return [...worker(node), ...trustedCa(), ...apiServerCertificates(node), ...kubeApiserver(node)];
}

function worker(node: NodeContext): readonly Task[] {
  return [
    ...agents(node),
    ...runtime(node),
    ...pauseImage(node).tasks,
    ...workerKubeconfigs(node),
    ...kubelet(node),
    ...kubeProxy(node),
    ...host(node),
    ...warmImages(node),
  ];
}

function runtime(node: NodeContext): readonly Task[] {
  if (node.runtime === 'docker') return [...runtimeDocker(node), ...cni(node)];
  return [
    ...runtimeContainerd(node),
    ...cni(node),
    ...(usesKubenet(node.spec) ? masquerade(node) : []),
    ...installedTools(node),
  ];
}

/** What every machine needs of its operating system. */
function host(node: NodeContext): readonly Task[] {
  return [
    ...volumeMounts(node),
    ...modules(),
    ...routerAdvertisements(node),
    ...sysctls(node),
    ...timeService(node),
    ...updates(node),
    ...podNetwork(node),
    ...metadataGuard(node),
    ...serviceGuard(node),
    ...packages(node),
    ...logrotate(node),
    ...fileAssets(node),
    ...hooks(node),
    ...extraImages(node),
  ];
}

/** Refuses two tasks of one name. Only files and units of the spec can cause that. */
function withoutConflicts(node: NodeContext, tasks: readonly Task[]): readonly Task[] {
  const seen = new Set<string>();
  for (const task of tasks) {
    const id = taskId(task);
    if (seen.has(id)) {
      throw new ActionableError({
        what: `plan the nodes of instance group ${node.instanceGroup.metadata.name}`,
        why: `${id} is defined twice: a file asset or hook of the spec takes the place of one of the node's own`,
        next: 'choose another path or name for it in spec.fileAssets or spec.hooks',
      });
    }
    seen.add(id);
  }
  return tasks;
}
