import { join } from 'node:path';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { ownTags } from '@kopsctl/test-clouds/toy-cloud/node/ownership.ts';
import { openToyService, type ToyMachine, type ToyService } from '@kopsctl/test-clouds/toy-cloud/node/toy-things.ts';

export const CLUSTER = 'thousand.local.test';
const NETWORK = 'network';
const WANTED = 'new user-data';

export const openToy = (folder: string): ToyService => openToyService(join(folder, 'toy'));
export const storeUrlOf = (folder: string): string => `file://${join(folder, 'state')}`;

/** How many of them may be missing at once. */
export const budgetOf = (count: number): number => Math.ceil(count / 4);

interface Wanted {
  readonly name: string;
  readonly instanceGroup: string;
  readonly role: Exclude<NodeRole, 'Bastion'>;
  readonly isCurrent: boolean;
}

/** Three control planes and a worker that are current, and as many workers that are not. */
export function wantedMachines(outdated: number): readonly Wanted[] {
  const numbered = (group: string, role: Wanted['role'], count: number, current: number): readonly Wanted[] =>
    Array.from({ length: count }, (_, index) => ({
      name: `${group}-${index + 1}`,
      instanceGroup: group,
      role,
      isCurrent: index < current,
    }));
  return [...numbered('control-plane', 'ControlPlane', 3, 3), ...numbered('nodes', 'Node', outdated + 1, 1)];
}

const propsOf = ({ instanceGroup, role }: Wanted) => ({
  network: NETWORK,
  zone: 'a',
  instanceGroup,
  role,
  machineType: 'small',
  image: 'image',
  userData: WANTED,
  tags: ownTags(CLUSTER),
});

/** What the model of the toy cloud would make of the cluster, as far as its fleet looks at it. */
export const machineTasks = (machines: readonly Wanted[]): readonly Task[] =>
  machines.map((machine) => ({
    kind: 'toy/Machine',
    name: machine.name,
    props: { ...propsOf(machine), after: [] },
  }));

/** Puts the machines into the cloud. */
export async function makeMachines(toy: ToyService, machines: readonly Wanted[]): Promise<void> {
  await toy.networks.write({ name: NETWORK, cidr: '10.0.0.0/16', tags: ownTags(CLUSTER) });
  // Addresses of the next machines begin elsewhere: the toy cloud looks for the first free one.
  for (const [index, machine] of machines.entries()) {
    const address = `10.0.${200 + Math.floor(index / 250)}.${(index % 250) + 1}`;
    const made: ToyMachine = {
      id: `first-${machine.name}`,
      name: machine.name,
      ...propsOf(machine),
      address,
      running: true,
    };
    await toy.machines.add({ ...made, userData: machine.isCurrent ? WANTED : 'old user-data' });
  }
}
