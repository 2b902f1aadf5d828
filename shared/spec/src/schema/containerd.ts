import { list, map, object, type ValueOf } from './field.ts';
import { runtimePackages } from './runtime-packages.ts';

const nvidiaGpu = object({
  dcgmExporter: object({ enabled: 'bool' }),
  enabled: 'bool',
  image: 'string',
  package: 'string',
});

/** NVIDIA driver and runtime on machines with a GPU. */
export interface NvidiaGpuConfig extends ValueOf<typeof nvidiaGpu> {}

/** Which runc containerd uses. */
const runc = object({ packages: runtimePackages, version: 'string' });

export const containerd = object({
  address: 'string',
  configAdditions: map('int-or-string'),
  configOverride: 'string',
  gvisor: object({ enabled: 'bool', platform: 'string' }),
  installCriCtl: 'bool',
  installNerdCtl: 'bool',
  logLevel: 'string',
  nri: object({ enabled: 'bool', pluginRegistrationTimeout: 'duration', pluginRequestTimeout: 'duration' }),
  nvidiaGPU: nvidiaGpu,
  packages: runtimePackages,
  registryMirrors: map(list('string')),
  root: 'string',
  runc,
  sandboxImage: 'string',
  selinuxEnabled: 'bool',
  skipInstall: 'bool',
  state: 'string',
  useECRCredentialsForMirrors: 'bool',
  version: 'string',
});

/** How containerd is installed and set up on each machine. */
export interface ContainerdConfig extends ValueOf<typeof containerd> {}
