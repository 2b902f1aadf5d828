import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { FLOOD_KINDS, type FloodKind } from './flood.ts';

/** The group of all machines here. */
export const GROUP = 'nodes';

/** A machine of the cloud's list behind which an attacker sits. */
export interface BadMachine extends CloudMachine {
  readonly kind: FloodKind;
}

/** Machines that join, the first of them before the others. */
export const goodMachines = (count: number, launchedMs: number): readonly CloudMachine[] =>
  Array.from({ length: count }, (_, index) =>
    machine(`nodes-${index}`, `127.3.${index >> 8}.${index & 0xff}`, launchedMs),
  );

/** The same number of each kind, as far as the count goes. */
export const badMachines = (count: number, launchedMs: number): readonly BadMachine[] =>
  Array.from({ length: count }, (_, index) => {
    const kind = FLOOD_KINDS[index % FLOOD_KINDS.length];
    if (kind === undefined) throw new Error('there is no kind of attackers');
    return { ...machine(`${kind}-${index}`, `127.4.${index >> 8}.${index & 0xff}`, launchedMs), kind };
  });

/** A whole network of addresses is this computer's own, 127.0.0.0/8, so each machine has one without any setup. */
const machine = (name: string, address: string, launchedMs: number): CloudMachine => ({
  instanceId: `i-${name}`,
  nodeName: name,
  address,
  externalAddresses: [],
  role: 'Node',
  instanceGroup: GROUP,
  running: true,
  launchedMs,
});
