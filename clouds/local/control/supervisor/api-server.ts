import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import * as z from 'zod';
import { HttpError, callerGone, readJsonBody, requestUrl, sendJson } from './http-json.ts';
import {
  type ClusterState,
  type MachineSpec,
  type NetworkOptions,
  type VolumeSpec,
  machineSpecSchema,
  networkOptionsSchema,
  volumeSpecSchema,
} from '../records/records.ts';
import type { Revisions } from './revisions.ts';

const LONG_POLL_MS = 60_000;

/** What clients on the host can request from a supervisor. */
export interface ApiEnv {
  readonly revisions: Revisions;
  state(): ClusterState;
  setNetwork(options: NetworkOptions): Promise<void>;
  createMachine(spec: MachineSpec): Promise<unknown>;
  renewMachine(name: string, userData: string): Promise<void>;
  machineAction(name: string, action: MachineAction): Promise<void>;
  stopMachine(name: string, withinMs: number | undefined): Promise<void>;
  execArgv(name: string, argv: readonly string[]): Promise<readonly string[]>;
  createVolume(spec: VolumeSpec): Promise<unknown>;
  deleteVolume(name: string): Promise<void>;
  shutDown(): Promise<void>;
}

const userDataSchema = z.strictObject({ userData: z.string() });

const stopSchema = z.strictObject({ withinMs: z.int().nonnegative().optional() }).optional();

const MACHINE_ACTIONS = ['start', 'reboot', 'terminate'] as const;
export type MachineAction = (typeof MACHINE_ACTIONS)[number];

/** The API of the supervisor, on a socket that only root can open. Errors keep their what, why and next. */
export function createApiServer(env: ApiEnv): Server {
  return createServer((request, response) => {
    answer(env, request, response).then(
      (body) => sendJson(response, 200, body ?? {}),
      (error: unknown) => sendError(response, error),
    );
  });
}

async function answer(env: ApiEnv, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const url = requestUrl(request);
  const route = `${request.method} ${url.pathname}`;
  const [, version, kind, name, action] = url.pathname.split('/').map(decodeURIComponent);
  if (version !== 'v1') throw new HttpError(404, `nothing at ${url.pathname}`);
  switch (route) {
    case 'GET /v1/state':
      await env.revisions.newerThan(url.searchParams.get('after') ?? undefined, LONG_POLL_MS, callerGone(response));
      return env.state();
    case 'PUT /v1/network':
      return env.setNetwork(networkOptionsSchema.parse(await readJsonBody(request)));
    case 'POST /v1/machines':
      return env.createMachine(machineSpecSchema.parse(await readJsonBody(request)));
    case 'POST /v1/volumes':
      return env.createVolume(volumeSpecSchema.parse(await readJsonBody(request)));
    case 'POST /v1/shutdown':
      return env.shutDown();
    default:
  }
  if (request.method === 'DELETE' && kind === 'volumes' && name !== undefined) return env.deleteVolume(name);
  if (request.method === 'PUT' && kind === 'machines' && name !== undefined && action === 'user-data') {
    return env.renewMachine(name, userDataSchema.parse(await readJsonBody(request)).userData);
  }
  if (request.method === 'POST' && kind === 'machines' && name !== undefined) {
    const known = MACHINE_ACTIONS.find((candidate) => candidate === action);
    if (known !== undefined) return env.machineAction(name, known);
    if (action === 'stop') return env.stopMachine(name, stopSchema.parse(await readJsonBody(request))?.withinMs);
    if (action === 'exec')
      return { argv: await env.execArgv(name, z.array(z.string()).parse(await readJsonBody(request))) };
  }
  throw new HttpError(404, `nothing at ${route}`);
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof ActionableError) {
    sendJson(response, 409, { error: { what: error.what, why: error.why, next: error.next } });
    return;
  }
  const status = error instanceof HttpError ? error.status : error instanceof z.ZodError ? 400 : 500;
  sendJson(response, status, { error: messageOf(error) });
}
