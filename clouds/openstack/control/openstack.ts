import type { Cloud } from '@kopsctl/model/cloud.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import { CLOUD_TRAITS } from '@kopsctl/spec/cloud-traits.ts';
import { plainCloud } from '@kopsctl/spec/cloud.ts';
import { openstackCreation } from './create-cluster.ts';

const spec = {
  ...plainCloud('openstack'),
  traits: { ...CLOUD_TRAITS, checksSource: 'always' },
  settings: { cluster: ['spec.cloudConfig.openstack'], group: [] },
} as const;

/** OpenStack: clusters are inferred, read and checked. */
export const openstack: Cloud = { ...spec, creation: zonedCreation(spec, openstackCreation, { storeScheme: 'swift' }) };
