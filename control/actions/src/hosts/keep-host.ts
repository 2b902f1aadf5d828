import { enrolmentPath, nodesFolder, parseEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { type HostRecord, hostPath, isHostPath, parseHost, printHost } from '@kopsctl/node-identity/host-record.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Namesake } from './plan-host.ts';

/** Plans the record of a machine with what the store has, and writes it over exactly that. */
export async function keepHost(
  { store, cluster }: { readonly store: StateStore; readonly cluster: string },
  node: string,
  signal: AbortSignal,
  plan: (namesake: Namesake) => HostRecord,
): Promise<HostRecord> {
  const path = hostPath(cluster, node);
  const [stored, enrolment, entries] = await Promise.all([
    store.read(path, signal),
    store.read(enrolmentPath(cluster, node), signal),
    store.list(nodesFolder(cluster), signal),
  ]);
  const others = await Promise.all(
    entries
      .filter((entry) => isHostPath(cluster, entry.path) && entry.path !== path)
      .map(async (entry) => store.read(entry.path, signal)),
  );
  const textOf = (of: { readonly bytes: Uint8Array }): string => Buffer.from(of.bytes).toString('utf8');
  const hosts = others.flatMap((other) => (other === undefined ? [] : [parseHost(textOf(other))]));
  const planned = plan({
    host: stored && parseHost(textOf(stored)),
    enrolment: enrolment && parseEnrolment(textOf(enrolment)),
    others: hosts,
  });
  const condition = ifUnchanged(stored?.version);
  await store.write(path, Buffer.from(printHost(planned)), condition, signal);
  return planned;
}
