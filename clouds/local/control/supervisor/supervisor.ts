import { chmod, mkdir, rm } from 'node:fs/promises';
import { Server as NetServer } from 'node:net';
import { parseArgs } from 'node:util';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { createMetadataServer } from '../metadata/metadata-server.ts';
import { proxyApi } from '../network/api-proxy.ts';
import { METADATA_ADDRESS, REGISTRY_PORT } from '../model/network.ts';
import { imageLibrary } from '../registry/image-library.ts';
import { createRegistryServer } from '../registry/registry-server.ts';
import { clusterPaths } from '../records/cluster-paths.ts';
import { createApiServer } from './api-server.ts';
import { SUPERVISOR } from './process-name.ts';
import { receiveHostPort, sayReady } from './starter.ts';
import { apiEnv, controlPlaneAddresses, metadataEnv, openSupervisedCluster } from './supervised-cluster.ts';
import { supervisorLog as log } from './supervisor-log.ts';

/**
 * Runs a local cluster until it is shut down: `--dir <state folder> --cluster <name>`. Must be started by
 * start-supervisor.ts: in namespaces of its own, as the child of their PID 1, with a listening socket of the host
 * passed to it.
 */
export async function runSupervisor(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...argv], options: { dir: { type: 'string' }, cluster: { type: 'string' } } });
  const { dir, cluster: name } = values;
  if (dir === undefined || name === undefined) throw new Error(`${SUPERVISOR} needs --dir and --cluster`);
  let apiServers = (): readonly string[] => [];
  const handedOver = receiveHostPort((hostPort) => proxyApi(hostPort, () => apiServers()));
  const paths = clusterPaths(dir, name);
  // Nothing is created before the parent has recorded this process, which it does before it passes the socket.
  const cluster = await openSupervisedCluster({ name, paths, log, after: handedOver });
  apiServers = () => controlPlaneAddresses(cluster);

  await listening(createMetadataServer(metadataEnv(cluster)), { host: METADATA_ADDRESS, port: 80 });
  const registryLog = log.about('registry');
  const library = imageLibrary(() => cluster.options.network.assetsDir, registryLog);
  await listening(createRegistryServer(library, registryLog), { host: METADATA_ADDRESS, port: REGISTRY_PORT });

  const ended = Promise.withResolvers<void>();
  // The response must be sent before this process, and with it the namespaces, end.
  const api = createApiServer(apiEnv(cluster, () => void setTimeout(ended.resolve, 50)));
  await mkdir(paths.root, { recursive: true, mode: 0o700 });
  await rm(paths.socket, { force: true });
  await listening(api, { path: paths.socket });
  await chmod(paths.socket, 0o600);
  log.info('ready', { cluster: name });
  sayReady();
  await cluster.machines.resume();
  await ended.promise;
  process.exit(0);
}

function listening(
  server: NetServer,
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`cannot listen at ${JSON.stringify(where)}: ${messageOf(error)}`)),
    );
    server.listen(where, resolve);
  });
}
