import { asRecord } from '@kopsctl/tasks/record.ts';
import type { ApiVersion } from './api-version.ts';
import type { ConversionFault } from './conversion-fault.ts';
import { CLOUDS, MOVES } from './moves.ts';
import { valueAt, type Values } from './values.ts';

/** The object of v1alpha3 that names the cloud, with the settings that exist already. */
export function withCloudObject(moved: Values, v1alpha2: Values): Values {
  const word = specOf(v1alpha2)['cloudProvider'];
  const [cloud] = Object.entries(CLOUDS).find(([, name]) => name === word) ?? [];
  if (cloud === undefined) return moved;
  const spec = specOf(moved);
  const settings = asRecord(spec['cloudProvider']);
  return { ...moved, spec: { ...spec, cloudProvider: { ...settings, [cloud]: settings[cloud] ?? {} } } };
}

/** The word of v1alpha2 that names the cloud. */
export function withCloudWord(moved: Values, v1alpha3: Values): Values {
  const [cloud] = Object.keys(asRecord(specOf(v1alpha3)['cloudProvider']));
  const word = cloud === undefined ? undefined : CLOUDS[cloud];
  return word === undefined ? moved : { ...moved, spec: { ...specOf(moved), cloudProvider: word } };
}

/**
 * Settings of other clouds than the cluster's: v1alpha3 keeps them in the object of that cloud, and has only one such
 * object.
 */
export function faultsOfClouds(cluster: Values, version: ApiVersion): readonly ConversionFault[] {
  const spec = specOf(cluster);
  if (version === 'v1alpha3') {
    const [first, ...others] = Object.keys(asRecord(spec['cloudProvider']));
    return others.map((cloud) => ({
      path: `spec.cloudProvider.${cloud}`,
      message: `a cluster is in one cloud, and this one is in ${String(first)} already`,
      hint: 'keep one of them',
    }));
  }
  const word = spec['cloudProvider'];
  return (MOVES['Cluster'] ?? []).flatMap(({ v1alpha2, v1alpha3 }) => {
    const [, cloud] = /^spec\.cloudProvider\.(\w+)/.exec(v1alpha3 ?? '') ?? [];
    if (cloud === undefined || CLOUDS[cloud] === word || !isSet(cluster, v1alpha2)) return [];
    return [
      {
        path: v1alpha2,
        message: `only a cluster in ${String(CLOUDS[cloud])} has this, and this one is in ${typeof word === 'string' ? word : 'no cloud'}`,
        hint: 'remove it',
      },
    ];
  });
}

function isSet(object: Values, path: string): boolean {
  const value = valueAt(object, path);
  return value !== undefined && value !== '';
}

const specOf = (object: Values): Values => asRecord(object['spec']);
