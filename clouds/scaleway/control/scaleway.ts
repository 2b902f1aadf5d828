import type { Cloud } from '@kopsctl/model/cloud.ts';
import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import { oneZoneRules } from '@kopsctl/model/create-cluster/one-zone-rules.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import { plainCloud } from '@kopsctl/spec/cloud.ts';

const spec = plainCloud('scaleway');

const rules = oneZoneRules(spec.name, {
  place: 'zone',
  images: { amd64: { focal: 'ubuntu_focal', jammy: 'ubuntu_jammy', noble: 'ubuntu_noble' } },
  machineTypes: everywhere('DEV1-M'),
});

/** Scaleway: clusters are inferred, read and checked. */
export const scaleway: Cloud = { ...spec, creation: zonedCreation(spec, rules, { storeScheme: 'scw' }) };
