import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { z } from 'zod';
import type { NodeCloud, Observed } from '../node-cloud.ts';

const METADATA_URL = 'http://169.254.169.254';

const role = z.enum(['ControlPlane', 'Node', 'Bastion', 'APIServer']);
const instanceSchema = z.object({
  instanceId: z.string(),
  nodeName: z.string(),
  address: z.string(),
  zone: z.string(),
});
const machineSchema = z.object({
  instanceId: z.string(),
  nodeName: z.string(),
  address: z.string(),
  role,
  instanceGroup: z.string(),
  running: z.boolean(),
});
const attachedTo = z.object({ instanceId: z.string(), address: z.string(), device: z.string() });
const freeVolumeSchema = z.object({
  id: z.string(),
  name: z.string(),
  sizeGiB: z.number(),
  zone: z.string(),
  tags: z.record(z.string(), z.string()),
});
const volumeSchema = z.union([freeVolumeSchema.extend({ attachedTo }), freeVolumeSchema]);
const deviceSchema = z.object({ device: z.string() });
const refusalSchema = z.object({ error: z.string() });

/** The metadata service dies only together with its machines, so few tries tell a hiccup from an end. */
const TRIES = 8;
const RETRY_MS = 500;

/** A local machine's view of its cloud: the metadata service of its supervisor. */
export function createLocalNodeCloud(baseUrl: string = METADATA_URL): NodeCloud {
  const ask = async <T>(
    what: string,
    method: string,
    path: string,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const response = await reach(what, method, `${baseUrl}${path}`, signal);
    const answer: unknown = await response.json();
    if (response.ok) return schema.parse(answer);
    throw new ActionableError({
      what,
      why: refusalSchema.parse(answer).error,
      next: 'run the command again; on the host, `kopsctl get instances` shows what this machine may do',
    });
  };

  const watch = async <T>(
    kind: string,
    item: z.ZodType<T>,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<Observed<T>> => {
    const schema = z.object({ revision: z.string(), items: z.array(item) });
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    for (;;) {
      const observed = await ask(`list the ${kind} of this cluster`, 'GET', `/v1/${kind}${query}`, schema, signal);
      // The service answers a wait after a minute even when nothing is new.
      if (observed.revision !== after) return observed;
    }
  };

  return {
    facts: (signal) => ask('learn what this machine is', 'GET', '/v1/instance', instanceSchema, signal),
    machines: (after, signal) => watch('machines', machineSchema, after, signal),
    volumes: (after, signal) => watch('volumes', volumeSchema, after, signal),
    attachVolume: (id, signal) =>
      ask(`attach the volume ${id}`, 'POST', `/v1/volumes/${encodeURIComponent(id)}/attach`, deviceSchema, signal),
  };
}

/** Connections that break are made again; a repeated attach changes nothing. */
async function reach(what: string, method: string, url: string, signal: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(url, { method, signal });
    } catch (cause) {
      signal.throwIfAborted();
      if (attempt === TRIES) {
        throw new ActionableError({
          what,
          why: `the metadata service at ${url} cannot be reached: ${messageOf(cause)}`,
          next: 'look at the network of this machine (`ip address`, `ip route`), and on the host at supervisor.log',
          cause,
        });
      }
      await sleep(RETRY_MS * attempt, undefined, { signal });
    }
  }
}
