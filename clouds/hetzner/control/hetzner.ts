import type { Cloud } from '@kopsctl/model/cloud.ts';
import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import { oneZoneRules } from '@kopsctl/model/create-cluster/one-zone-rules.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import { plainCloud } from '@kopsctl/spec/cloud.ts';

const spec = plainCloud('hetzner');

const rules = oneZoneRules(spec.name, {
  place: 'location',
  images: { amd64: { focal: 'ubuntu-20.04', jammy: 'ubuntu-22.04', noble: 'ubuntu-24.04' } },
  machineTypes: everywhere('cx23'),
});

/** Hetzner: clusters are inferred, read and checked. */
export const hetzner: Cloud = { ...spec, creation: zonedCreation(spec, rules, { storeScheme: 'hos' }) };
