import { aws } from './aws.ts';
import { azure } from './azure.ts';
import type { CloudRules } from './cloud-rules.ts';
import { CLOUDS, isCloud, type CloudName, type CreateClusterFlags } from './flags.ts';
import { gce } from './gce.ts';
import { digitalocean, hetzner, linode, scaleway } from './one-zone-clouds.ts';
import { openstack } from './openstack.ts';
import { refusal, unknownWord } from './refusal.ts';

const RULES: Readonly<Record<Exclude<CloudName, 'local'>, CloudRules>> = {
  aws,
  azure,
  digitalocean,
  gce,
  hetzner,
  linode,
  openstack,
  scaleway,
};

export const rulesOf = (cloud: Exclude<CloudName, 'local'>): CloudRules => RULES[cloud];

/** Each cloud's own kind of state store says which cloud it is (kops pkg/clouds GuessCloudForPath). */
const STORE_OF: Readonly<Record<string, CloudName>> = {
  azureblob: 'azure',
  do: 'digitalocean',
  gs: 'gce',
  hos: 'hetzner',
  s3: 'aws',
  scw: 'scaleway',
  swift: 'openstack',
};

/** The cloud that is named, else the one whose state store it is; without zones, this computer. */
export function chooseCloud({ cloud, zones = [] }: CreateClusterFlags, stateStoreUrl: string | undefined): CloudName {
  if (cloud !== undefined && cloud !== '') {
    if (isCloud(cloud)) return cloud;
    throw unknownWord('--cloud', cloud, CLOUDS);
  }
  if (zones.length === 0) return 'local';
  const guessed = STORE_OF[/^([a-z0-9]+):\/\//.exec(stateStoreUrl ?? '')?.[1] ?? ''];
  if (guessed !== undefined) return guessed;
  throw refusal(`nothing says which cloud the zones ${zones.join(', ')} are of`, 'name it with --cloud');
}
