import type { Cloud } from '@kopsctl/model/cloud.ts';
import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import { oneZoneRules } from '@kopsctl/model/create-cluster/one-zone-rules.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import { plainCloud } from '@kopsctl/spec/cloud.ts';

const spec = plainCloud('linode');

const rules = oneZoneRules(spec.name, {
  place: 'region',
  // A zone is a region.
  subnet: (region) => ({ name: region, region, zone: region }),
  images: { amd64: { focal: 'linode/ubuntu22.04', jammy: 'linode/ubuntu22.04', noble: 'linode/ubuntu24.04' } },
  // The smallest type with 4 GiB of memory.
  machineTypes: everywhere('g6-standard-2'),
});

/** Linode: clusters are inferred, read and checked. */
export const linode: Cloud = { ...spec, creation: zonedCreation(spec, rules, { storeScheme: 'linode' }) };
