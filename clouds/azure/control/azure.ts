import type { Cloud } from '@kopsctl/model/cloud.ts';
import { zonedCreation } from '@kopsctl/model/create-cluster/zoned-creation.ts';
import { plainCloud } from '@kopsctl/spec/cloud.ts';
import { azureCreation } from './create-cluster.ts';

const spec = {
  ...plainCloud('azure'),
  settings: {
    cluster: ['spec.cloudConfig.azure', 'spec.cloudControllerManager.azureNodeManagerImage'],
    group: [],
  },
} as const;

/** Azure: clusters are inferred, read and checked. */
export const azure: Cloud = { ...spec, creation: zonedCreation(spec, azureCreation, { storeScheme: 'azureblob' }) };
