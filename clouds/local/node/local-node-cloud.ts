import type { NodeCloud, Observed } from '@kopsctl/node-cloud/node-cloud.ts';
import { parseDevice, parseInstance, parseMachine, parseObserved, parseVolume } from './metadata-answers.ts';
import { METADATA_URL, metadataClient } from './metadata-client.ts';

/** The local cloud as a machine sees it: the metadata service of its supervisor. */
export function createLocalNodeCloud(baseUrl: string = METADATA_URL): NodeCloud {
  const ask = metadataClient(baseUrl);

  const watch = async <T>(
    kind: string,
    parseItem: (item: unknown) => T,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<Observed<T>> => {
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    const parse = (answer: unknown) => parseObserved(answer, parseItem);
    for (;;) {
      const observed = await ask(`list the ${kind} of this cluster`, { path: `/v1/${kind}${query}` }, parse, signal);
      // A wait may return without a change.
      if (observed.revision !== after) return observed;
    }
  };

  return {
    facts: (signal) => ask('learn what this machine is', { path: '/v1/instance' }, parseInstance, signal),
    machines: (after, signal) => watch('machines', parseMachine, after, signal),
    volumes: (after, signal) => watch('volumes', parseVolume, after, signal),
    attachVolume: (id, signal) =>
      ask(
        `attach the volume ${id}`,
        { method: 'POST', path: `/v1/volumes/${encodeURIComponent(id)}/attach` },
        parseDevice,
        signal,
      ),
    detachVolume: (id, signal) =>
      ask(
        `detach the volume ${id}`,
        { method: 'POST', path: `/v1/volumes/${encodeURIComponent(id)}/detach` },
        () => undefined,
        signal,
      ),
  };
}
