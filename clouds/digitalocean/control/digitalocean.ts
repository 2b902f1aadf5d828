import type { Cloud } from '@kopsctl/model/cloud.ts';
import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import { oneZoneRules } from '@kopsctl/model/create-cluster/one-zone-rules.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import { plainCloud } from '@kopsctl/spec/cloud.ts';

const spec = plainCloud('digitalocean');

const rules = oneZoneRules(spec.name, {
  place: 'region',
  numbersControlPlanes: true,
  networkHasRange: false,
  // A zone is a region.
  subnet: (region) => ({ name: region, region, zone: region }),
  images: {
    amd64: { focal: 'ubuntu-20-04-x64', jammy: 'ubuntu-22-04-x64', noble: 'ubuntu-24-04-x64' },
  },
  machineTypes: everywhere('s-2vcpu-4gb'),
});

/** DigitalOcean: clusters are inferred, read and checked. */
export const digitalocean: Cloud = { ...spec, creation: zonedCreation(spec, rules, { storeScheme: 'do' }) };
