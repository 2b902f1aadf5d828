import type { PackageProps, PackageSource } from '@kopsctl/node-plan/node-tasks.ts';
import type { NvidiaGpuConfig } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { PublishedAsset } from '../assets/published-asset.ts';
import { completedValue } from '../completed-value.ts';
import { containerdSettings } from '../runtime/containerd-settings.ts';
import { runtimeHandlers } from '../runtime/runtime-handlers.ts';
import type { NodeContext } from './node-context.ts';
import { after, nodeTask } from './node-task.ts';

/** Where NVIDIA publishes what runs containers with GPUs (NVIDIA Container Toolkit, "Installation"). */
const NVIDIA = {
  name: 'nvidia-container-toolkit',
  keyUrl: 'https://nvidia.github.io/libnvidia-container/gpgkey',
  location: 'https://nvidia.github.io/libnvidia-container/stable/deb/$(ARCH) /',
};

/** gvisor.dev, "Installation". Its package holds containerd's shim as well. */
const GVISOR = {
  name: 'gvisor',
  keyUrl: 'https://gvisor.dev/archive.key',
  location: 'https://storage.googleapis.com/gvisor/releases release main',
};

/**
 * The programs of runtimes besides runc, from the repositories of those who make them (kops nodeup/pkg/model:
 * nvidia.go, gvisor.go). Machines that are prepared with all that they run get nothing from there.
 */
export function runtimePackages(node: NodeContext): readonly Task[] {
  const { spec, instanceGroup, cloud } = node;
  if (cloud.traits.bringsImages) return [];
  const { nvidia, gvisor } = runtimeHandlers(spec, instanceGroup);
  return [
    ...(nvidia === undefined ? [] : nvidiaPackages(node, nvidia)),
    ...(gvisor === undefined
      ? []
      : [packageTask({ name: 'runsc', onlyOn: 'debian', source: signedSource(node, GVISOR) })]),
  ];
}

function nvidiaPackages(node: NodeContext, nvidia: NvidiaGpuConfig): readonly Task[] {
  const driver = completedValue('spec.containerd.nvidiaGPU.package', nvidia.package);
  return [
    packageTask({ name: driver, onlyOn: 'ubuntu' }),
    // Without it no container with a GPU starts, so that none starts before the driver is there.
    packageTask({
      name: 'nvidia-container-toolkit',
      onlyOn: 'ubuntu',
      source: signedSource(node, NVIDIA),
      after: after(`Package/${driver}`),
    }),
  ];
}

/** Without it the machine has no rules for the labels of containers (kops nodeup/pkg/model/packages.go). */
export const seLinuxPolicy = ({ spec, instanceGroup }: NodeContext): readonly Task[] =>
  containerdSettings(spec, instanceGroup).selinuxEnabled === true
    ? [packageTask({ name: 'container-selinux', onlyOn: 'fedora' })]
    : [];

/**
 * The key decides what a machine installs as root, so the plan has its hash as that of any other file. Nobody publishes
 * it: the key itself is read.
 */
function signedSource({ assets }: NodeContext, { name, keyUrl, location }: typeof GVISOR): PackageSource {
  const key: PublishedAsset = {
    name: `${name}-key`,
    version: 'latest',
    arch: 'amd64',
    file: new URL(keyUrl).pathname.slice(1),
    urls: [keyUrl],
    sha256Url: keyUrl,
  };
  return { name, key: { urls: assets.urls(key), sha256: assets.sha256(key) }, location };
}

const packageTask = (props: PackageProps): Task => nodeTask('Package', props.name, props);
