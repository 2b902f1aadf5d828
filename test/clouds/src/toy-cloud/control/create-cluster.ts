import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import { oneZoneRules } from '@kopsctl/model/create-cluster/one-zone-rules.ts';

/** How clusters in the toy cloud are inferred from flags. */
export const toyCreation: CloudRules = oneZoneRules('the toy cloud', {
  place: 'room',
  images: { amd64: 'toy-os' },
  machineTypes: everywhere('toy-small'),
});
