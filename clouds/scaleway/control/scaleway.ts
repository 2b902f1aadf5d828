import type { Cloud } from '@kopsctl/model/cloud.ts';
import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import { oneZoneRules } from '@kopsctl/model/create-cluster/one-zone-rules.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import { plainCloud } from '@kopsctl/spec/cloud.ts';

const spec = plainCloud('scaleway');

const rules = oneZoneRules(spec.name, {
  place: 'zone',
  images: { amd64: { '1.20.0': 'ubuntu_focal', '1.27.0': 'ubuntu_jammy', '1.31.0': 'ubuntu_noble' } },
  machineTypes: everywhere('DEV1-M'),
});

/** Scaleway: clusters are inferred, read and checked. */
export const scaleway: Cloud = { ...spec, creation: zonedCreation(spec, rules, { storeScheme: 'scw' }) };
