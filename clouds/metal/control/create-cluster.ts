import type { CloudCreation } from '@kopsctl/model/create-cluster/cloud-creation.ts';
import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import type { CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { nonEmpty } from '@kopsctl/model/create-cluster/given.ts';
import { oneZoneRules } from '@kopsctl/model/create-cluster/one-zone-rules.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import type { CloudName, SpecCloud } from '@kopsctl/spec/cloud.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { isOtherRole } from './validate.ts';

/** Machines have the hardware and the operating system that they have: both fields of the API stand for that. */
const rules = oneZoneRules('machines that you enroll', {
  place: 'room',
  images: { amd64: 'installed' },
  machineTypes: everywhere('any'),
});

/** How clusters of enrolled machines are inferred: with gossip, and no load balancer before the API. */
export function metalCreation(cloud: SpecCloud & { readonly name: CloudName }): CloudCreation {
  const zoned = zonedCreation(cloud, rules, {});
  return {
    ...zoned,
    infer(flags, { channel, ...facts }) {
      refuseMeaningless(flags);
      // No channel has an image for machines that are installed already.
      const { spec, instanceGroups } = zoned.infer(flags, {
        ...facts,
        ...(channel !== undefined && { channel: { ...channel, images: undefined } }),
      });
      const topology = { ...spec.topology, dns: { type: 'Gossip' } };
      return { spec: { ...spec, api: { dns: {} }, topology }, instanceGroups: instanceGroups.map(enrollable) };
    },
    instanceGroup: (cluster, wanted) => enrollable(zoned.instanceGroup(cluster, wanted)),
  };
}

function refuseMeaningless({ dns, dnsZone, apiLoadbalancerType }: CreateClusterFlags): void {
  if (nonEmpty(dns) !== undefined || nonEmpty(dnsZone) !== undefined) {
    throw refusal('enrolled machines find each other by gossip alone', 'leave out --dns and --dns-zone');
  }
  if (nonEmpty(apiLoadbalancerType) !== undefined) {
    throw refusal('enrolled machines have no load balancer', 'leave out --api-loadbalancer-type');
  }
}

function enrollable(group: InstanceGroup): InstanceGroup {
  if (!isOtherRole(group.spec.role)) return group;
  throw refusal('enrolled machines are control planes or nodes', `leave out the group ${group.metadata.name}`);
}
