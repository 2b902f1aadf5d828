import { cloudDnsZonesAbove } from '@kopsctl/dns/cloud-dns/cloud-dns-zones.ts';
import { DnsConflictError } from '@kopsctl/dns/dns-conflict.ts';
import { planRemoval } from '@kopsctl/dns/plan-records.ts';
import type { DnsProvider, NameChange, Zone } from '@kopsctl/dns/zone.ts';
import { publishesNames } from '@kopsctl/model/discovery.ts';
import type { Handler } from '@kopsctl/tasks/task.ts';
import type { GceCloud, GceEnv } from './gce-cloud.ts';
import { doing, isServiceOff } from './google-error.ts';

const refuse = () => {
  throw new Error('names are not made by a task, but by the machines');
};

/**
 * The names of the cluster in Cloud DNS, which its control planes maintain: they are only deleted, together with the whole
 * cluster and after its machines, which would make them again. A name is deleted together with the marks of its owner, or
 * not at all.
 */
export const dnsRecordsHandler: Handler<GceEnv> = {
  kind: 'gce/DnsRecords',
  parse: refuse,
  find: refuse,
  plan: refuse,
  apply: refuse,
  async listOwned({ gce }, signal) {
    const { cluster, clusterName } = gce;
    // Without names, nobody needs a right to Cloud DNS to delete the cluster.
    if (!gce.everything || !publishesNames({ spec: cluster.spec, clusterName })) return [];
    return doing(`list the DNS records of ${clusterName}`, async () => {
      const provider = providerOf(gce, signal);
      const zones = await zonesOf(provider);
      const found = await Promise.all(zones.map((zone) => removals(provider, zone, clusterName)));
      return found.flat().map(({ zone, change }) => ({
        name: `${zone.id}/${change.name}`,
        description: `DNS name ${change.name} in the zone ${zone.id}`,
        handle: JSON.stringify({ zone, change } satisfies Removal),
      }));
    });
  },
  remove: ({ description, handle }, { gce }, signal) =>
    doing(`delete the ${description}`, async () => {
      const { zone, change } = removalIn(handle);
      const provider = providerOf(gce, signal);
      try {
        await provider.change(zone, [change]);
      } catch (thrown) {
        if (!(thrown instanceof DnsConflictError)) throw thrown;
        // It is gone, as when an answer was lost, or somebody has changed it meanwhile.
        const left = await removals(provider, zone, gce.clusterName);
        const again = left.find((one) => one.change.name === change.name);
        if (again !== undefined) await provider.change(zone, [again.change]);
      }
    }),
};

interface Removal {
  readonly zone: Zone;
  readonly change: NameChange;
}

function removalIn(handle: unknown): Removal {
  if (typeof handle !== 'string') throw new Error('the DNS name has no handle');
  // Written by `listOwned` in the same run.
  const removal: Removal = JSON.parse(handle);
  return removal;
}

const providerOf = ({ api, clusterName, project, endpoints }: GceCloud, signal: AbortSignal): DnsProvider =>
  cloudDnsZonesAbove(clusterName, { project, endpoint: endpoints.dns }, { api, signal });

/** A project in which Cloud DNS is disabled has no zones. */
async function zonesOf(provider: DnsProvider): Promise<readonly Zone[]> {
  try {
    return await provider.zones();
  } catch (thrown) {
    if (isServiceOff(thrown)) return [];
    throw thrown;
  }
}

async function removals(provider: DnsProvider, zone: Zone, clusterName: string): Promise<readonly Removal[]> {
  const [planned] = planRemoval([{ zone, sets: await provider.list(zone) }], clusterName);
  return (planned?.changes ?? []).map((change) => ({ zone, change }));
}
