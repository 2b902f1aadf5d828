import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import { watchByAsking } from '@kopsctl/node-cloud/watch-by-asking.ts';
import { isOwned } from './ownership.ts';
import type { ToyMachine, ToyService } from './toy-things.ts';

/** A machine's view of the toy cloud. */
export function createToyNodeCloud(toy: ToyService, cluster: string, instance: string): NodeCloud {
  const own = async (): Promise<ToyMachine> => {
    const machine = await toy.machines.read(instance);
    if (machine !== undefined && isOwned(machine, cluster)) return machine;
    throw new ActionableError({
      what: 'learn what this machine is',
      why: `the cloud has no machine ${instance} of ${cluster}`,
      next: 'check TOY_INSTANCE',
    });
  };
  const machines = watchByAsking(
    async () =>
      (await toy.machines.list())
        .filter((machine) => isOwned(machine, cluster))
        .map(({ name, address, role, instanceGroup, running }) => ({
          instanceId: name,
          nodeName: name,
          address,
          externalAddresses: [],
          role,
          instanceGroup,
          running,
        })),
    Math.random,
  );
  const volumes = watchByAsking(async () => {
    const [found, attachments, holders] = await Promise.all([
      toy.volumes.list(),
      toy.attachments.list(),
      toy.machines.list(),
    ]);
    return found
      .filter((volume) => isOwned(volume, cluster))
      .map(({ name, zone, sizeGiB, tags }) => {
        const holder = attachments.find((attachment) => attachment.name === name)?.machine;
        const address = holders.find((machine) => machine.name === holder)?.address ?? '';
        return {
          id: name,
          name,
          zone,
          sizeGiB,
          tags,
          ...(holder !== undefined && { attachedTo: { instanceId: holder, address, device: deviceOf(name) } }),
        };
      });
  }, Math.random);
  return {
    async facts() {
      const { name, address, zone } = await own();
      return { instanceId: name, nodeName: name, address, zone };
    },
    machines: (after, signal) => machines.newerThan(after, signal),
    volumes: (after, signal) => volumes.newerThan(after, signal),
    async attachVolume(volume) {
      const { name } = await own();
      const found = await toy.volumes.read(volume);
      if (found === undefined || !isOwned(found, cluster)) throw cannotAttach(volume, `${cluster} has no such volume`);
      if (!(await toy.attachments.add({ name: volume, machine: name }))) {
        const holder = (await toy.attachments.read(volume))?.machine;
        if (holder !== name) throw cannotAttach(volume, `${holder ?? 'another machine'} holds it`);
      }
      return { device: deviceOf(volume) };
    },
    async detachVolume(volume) {
      const { name } = await own();
      if ((await toy.attachments.read(volume))?.machine === name) await toy.attachments.delete(volume);
    },
  };
}

const deviceOf = (volume: string): string => `/dev/disk/by-id/toy-${volume}`;

const cannotAttach = (volume: string, why: string): ActionableError =>
  new ActionableError({
    what: `attach the volume ${volume}`,
    why,
    next: 'look at the volumes that there are, and try again',
  });
