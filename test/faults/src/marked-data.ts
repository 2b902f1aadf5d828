import { deepEqual } from 'node:assert/strict';
import { openClients, openRoamingClient } from './clients.ts';
import type { FaultCluster } from './fault-cluster.ts';

/** A value that stands once in each database, so that it can be found on the disk. */
export const MARK = 'the-text-that-all-members-hold';
export const OTHER = 'the-text-that-one-member-holds';

export async function writeMark(cluster: FaultCluster): Promise<void> {
  const client = await openRoamingClient(cluster.endpoints);
  await client.put('mark').value(MARK);
  client.close();
}

/** Asks each member for what it holds by itself. */
export async function allHoldMark(cluster: FaultCluster): Promise<void> {
  const clients = await openClients(cluster.endpoints);
  const read = await Promise.all(clients.map((client) => client.get('mark').serializable(true).string()));
  for (const client of clients) client.close();
  deepEqual(
    read,
    cluster.wanted.map(() => MARK),
  );
}
