import { OWN_FLAGS } from '@kopsctl/clouds/create-cluster-flags.ts';
import type { CreateClusterFlags, MachineFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import type { OwnFlag } from '@kopsctl/model/create-cluster/own-flags.ts';
import { wordsWithCommas } from './words-with-commas.ts';

/** The flags of `create cluster`, as commander hands them over: camel-cased, former spellings beside the new ones. */
export interface CreateClusterOptions {
  readonly [flag: string]: unknown;
}

/** Words that a command line gave, as the record that a cluster is inferred from. */
export function flagsOf(name: string, options: CreateClusterOptions): CreateClusterFlags {
  const text = (...flags: readonly string[]) => pick(options, flags, isText);
  const count = (...flags: readonly string[]) => pick(options, flags, isCount);
  const list = (...flags: readonly string[]) => pick(options, flags, isList);
  const flag = (...flags: readonly string[]) => pick(options, flags, isSwitch);
  const machines = (role: string, former?: string): MachineFlags =>
    given({
      count: count(`${role}Count`, `${former}Count`),
      sizes: list(`${role}Size`, `${former}Size`),
      image: text(`${role}Image`, `${former}Image`),
      volumeSizeGib: count(`${role}VolumeSize`, `${former}VolumeSize`),
      volumeType: text(`${role}VolumeType`),
      securityGroups: list(`${role}SecurityGroups`, `${former}SecurityGroups`),
      tenancy: text(`${role}Tenancy`, `${former}Tenancy`),
    });
  return {
    name,
    ...given({
      ...same(SAME_TEXTS, text),
      ...same(SAME_LISTS, list),
      ...same(SAME_SWITCHES, flag),
      controlPlaneZones: list('controlPlaneZones', 'masterZones'),
      networkId: text(...namesOf('networkId'), 'networkId', 'vpc'),
      apiPublicName: text('apiPublicName', 'masterPublicName'),
      controlPlane: machines('controlPlane', 'master'),
      node: machines('node'),
      apiServer: machines('apiServer'),
      own: ownValues(options),
      set: [...settingsOf(list('override')), ...settingsOf(list('set'))],
      unset: list('unset'),
    }),
  };
}

/** The flags that only one cloud has, as they were given. */
const ownValues = (options: CreateClusterOptions): CreateClusterFlags['own'] =>
  Object.fromEntries(
    Object.entries(OWN_FLAGS).flatMap(([name, { path, onlyFor, sameAs }]) => {
      const value = options[name];
      if (sameAs !== undefined || !(isText(value) || isSwitch(value))) return [];
      return [[name, { value, path, ...given({ onlyFor }) }]];
    }),
  );

/** What clouds call a flag that every cloud has. */
const namesOf = (flag: OwnFlag['sameAs']): readonly string[] =>
  Object.entries(OWN_FLAGS).flatMap(([name, { sameAs }]) => (sameAs === flag ? [name] : []));

const SAME_TEXTS = [
  'apiLoadbalancerType',
  'authorization',
  'bastionImage',
  'channel',
  'cloud',
  'cloudLabels',
  'discoveryStore',
  'dns',
  'dnsZone',
  'egress',
  'etcdStorageType',
  'image',
  'instanceManager',
  'kubernetesVersion',
  'networking',
  'topology',
] as const satisfies readonly (keyof CreateClusterFlags)[];

const SAME_LISTS = [
  'adminAccess',
  'etcdClusters',
  'kubernetesFeatureGates',
  'networkCidr',
  'sshAccess',
  'subnets',
  'utilitySubnets',
  'zones',
] as const satisfies readonly (keyof CreateClusterFlags)[];

const SAME_SWITCHES = [
  'associatePublicIp',
  'bastion',
  'disableSubnetTags',
  'encryptEtcdStorage',
  'ipv6',
] as const satisfies readonly (keyof CreateClusterFlags)[];

/** One --set may hold several settings. Quotes keep a comma in a value; text that is not a setting belongs to the value before it as well. */
export const settingsOf = (words: readonly string[] | undefined): readonly string[] =>
  (words ?? []).flatMap((word) =>
    wordsWithCommas(word).reduce<readonly string[]>((settings, { text, isQuoted }) => {
      const [before] = settings.slice(-1);
      const isSetting = isQuoted || before === undefined || /^(?:(?:cluster|instancegroup)\.)?spec\.[^=]+=/.test(text);
      return isSetting ? [...settings, text] : [...settings.slice(0, -1), `${before},${text}`];
    }, []),
  );

/** Flags that have the same name as in the record. */
function same<Key extends string, Value>(keys: readonly Key[], read: (key: Key) => Value) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of exactly these keys
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Readonly<Record<Key, Value>>;
}

function pick<T>(
  options: CreateClusterOptions,
  flags: readonly string[],
  accepts: (value: unknown) => value is T,
): T | undefined {
  return flags.map((flag) => options[flag]).find(accepts);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => typeof value === 'number';
const isSwitch = (value: unknown): value is boolean => typeof value === 'boolean';
const isList = (value: unknown): value is readonly string[] => Array.isArray(value);
