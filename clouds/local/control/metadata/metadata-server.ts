import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { serveStore } from '@kopsctl/state-store/http/serve.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { CloudMachine, CloudVolume, Observed } from '@kopsctl/node-cloud/node-cloud.ts';
import { HttpError, callerGone, readJsonBody, requestUrl, sendJson } from '../supervisor/http-json.ts';
import type { MachineView, VolumeView } from '../records/records.ts';
import type { Revisions } from '../supervisor/revisions.ts';
import { InstanceIdentity } from './instance-identity.ts';
import { serveAsset } from './serve-asset.ts';
import { NO_RIGHTS, stateRights } from './state-rights.ts';

/** A waiting reader gets a response after this time even without a change, so that dead connections end. */
const LONG_POLL_MS = 60_000;

export interface MetadataEnv {
  readonly cluster: string;
  readonly revisions: Revisions;
  assetsDir(): string;
  store(): StateStore;
  machines(): readonly MachineView[];
  volumes(): readonly VolumeView[];
  attach(volumeId: string, machine: string): Promise<{ readonly device: string }>;
  detach(volumeId: string, machine: string): Promise<void>;
}

/**
 * The metadata service of machines. It identifies callers by their address, which the bridge protects against spoofing;
 * it does not trust callers or their input.
 */
export function createMetadataServer(env: MetadataEnv): Server {
  const stateOf = storeHandlers(env);
  const identity = new InstanceIdentity();
  return createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    answer(env, { stateOf, identity }, request, response).catch((error: unknown) => refuse(response, error));
  });
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A new handler for each store: the URL of the store may change while machines run. */
function storeHandlers(env: MetadataEnv): () => Handle {
  let store: StateStore | undefined;
  let handle: Handle | undefined;
  const authorize = (request: IncomingMessage): typeof NO_RIGHTS => {
    const caller = callerOf(env, request);
    return caller === undefined ? NO_RIGHTS : stateRights(env.cluster, caller);
  };
  return () => {
    if (handle === undefined || store !== env.store()) {
      store = env.store();
      handle = serveStore(store, authorize, { basePath: '/state/' });
    }
    return handle;
  };
}

function callerOf(env: MetadataEnv, request: IncomingMessage): MachineView | undefined {
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, '');
  return env.machines().find((machine) => machine.address === address);
}

async function answer(
  env: MetadataEnv,
  { stateOf, identity }: { readonly stateOf: () => Handle; readonly identity: InstanceIdentity },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const caller = callerOf(env, request);
  if (caller === undefined)
    throw new HttpError(403, `${request.socket.remoteAddress} is not a machine of ${env.cluster}`);
  const url = requestUrl(request);
  if (url.pathname === '/state' || url.pathname.startsWith('/state/')) {
    stateOf()(request, response);
    return;
  }
  const asset = /^\/assets\/([^/]+)$/.exec(url.pathname)?.[1];
  if (asset !== undefined) {
    await serveAsset(env.assetsDir(), decodeSegment(asset), request, response);
    return;
  }
  if (request.method === 'POST' && url.pathname === '/v1/identity') {
    const document = identity.document(env.cluster, caller, await readJsonBody(request));
    if (document === undefined) throw new HttpError(400, 'a challenge is 32 bytes in base64url');
    sendJson(response, 200, document);
    return;
  }
  if (request.method === 'GET' && url.pathname === '/v1/identity-key') {
    sendJson(response, 200, { key: identity.publicKey });
    return;
  }
  sendJson(response, 200, await answerJson(env, caller, request.method ?? 'GET', url, callerGone(response)));
}

async function answerJson(
  env: MetadataEnv,
  caller: MachineView,
  method: string,
  url: URL,
  signal: AbortSignal,
): Promise<unknown> {
  const route = `${method} ${url.pathname}`;
  const after = url.searchParams.get('after') ?? undefined;
  if (route === 'GET /v1/instance') return instanceOf(env.cluster, caller);
  if (route === 'GET /v1/machines') {
    await env.revisions.newerThan(after, LONG_POLL_MS, signal);
    return {
      revision: env.revisions.current,
      items: env.machines().map(cloudMachine),
    } satisfies Observed<CloudMachine>;
  }
  const [, volume, action] = /^POST \/v1\/volumes\/([^/]+)\/(attach|detach)$/.exec(route) ?? [];
  if (route !== 'GET /v1/volumes' && volume === undefined) throw new HttpError(404, `nothing at ${url.pathname}`);
  // An API server on a machine of its own finds etcd by the holders of its volumes.
  const isAllowed = caller.role === 'ControlPlane' || (caller.role === 'APIServer' && volume === undefined);
  if (!isAllowed) throw new HttpError(403, 'only the control plane may use volumes');
  if (volume !== undefined && action === 'attach') return env.attach(decodeSegment(volume), caller.name);
  if (volume !== undefined) {
    await env.detach(decodeSegment(volume), caller.name);
    return {};
  }
  await env.revisions.newerThan(after, LONG_POLL_MS, signal);
  return { revision: env.revisions.current, items: env.volumes().map(cloudVolume) } satisfies Observed<CloudVolume>;
}

function instanceOf(
  cluster: string,
  { name, nodeName, address, role, instanceGroup, zone, tags }: MachineView,
): object {
  return { cloud: 'local', cluster, instanceId: name, nodeName, address, role, instanceGroup, zone, tags };
}

function cloudMachine({ name, nodeName, address, role, instanceGroup, state, createdMs }: MachineView): CloudMachine {
  const running = state === 'running';
  return {
    instanceId: name,
    nodeName,
    address,
    externalAddresses: [address],
    role,
    instanceGroup,
    running,
    launchedMs: createdMs,
  };
}

function cloudVolume({ name, sizeGiB, zone, tags, attachedTo }: VolumeView): CloudVolume {
  const volume = { id: name, name, sizeGiB, zone, tags };
  if (attachedTo === undefined) return volume;
  return {
    ...volume,
    attachedTo: { instanceId: attachedTo.machine, address: attachedTo.address, device: attachedTo.device },
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpError(400, 'not a path');
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  // The caller closed the connection during the response.
  if (response.headersSent || codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') {
    response.destroy();
    return;
  }
  const status = error instanceof HttpError ? error.status : error instanceof ActionableError ? 409 : 500;
  sendJson(response, status, { error: messageOf(error) });
}
