import type { Handler } from '@kopsctl/tasks/task.ts';
import { archiveHandler } from './archive.ts';
import { assetHandler } from './asset.ts';
import { bindMountHandler } from './bind-mount.ts';
import { certificateHandler } from './certificate.ts';
import { directoryHandler } from './directory.ts';
import { discoveryEndpointHandler } from './discovery-endpoint.ts';
import { fileHandler } from './file.ts';
import { imageHandler } from './image.ts';
import { kernelModuleHandler } from './kernel-module.ts';
import type { NodeEnv } from './node-env.ts';
import { packageHandler } from './package.ts';
import { serviceHandler } from './service.ts';
import { symlinkHandler } from './symlink.ts';
import { sysctlsHandler } from './sysctls.ts';
import { userHandler } from './user.ts';

/** Every kind a node plan may hold. */
export const nodeHandlers: readonly Handler<NodeEnv>[] = [
  assetHandler,
  fileHandler,
  directoryHandler,
  symlinkHandler,
  archiveHandler,
  packageHandler,
  userHandler,
  kernelModuleHandler,
  sysctlsHandler,
  serviceHandler,
  imageHandler,
  certificateHandler,
  bindMountHandler,
  discoveryEndpointHandler,
];
