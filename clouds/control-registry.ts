import type { Cloud } from '@kopsctl/model/cloud.ts';
import { aws } from './aws/control/aws.ts';
import { azure } from './azure/control/azure.ts';
import { digitalocean } from './digitalocean/control/digitalocean.ts';
import { gce } from './gce/control/gce.ts';
import { hetzner } from './hetzner/control/hetzner.ts';
import { linode } from './linode/control/linode.ts';
import { local } from './local/control/local.ts';
import { metal } from './metal/control/metal.ts';
import { openstack } from './openstack/control/openstack.ts';
import { scaleway } from './scaleway/control/scaleway.ts';

/** Every cloud that the control side knows. */
export const CLOUDS: readonly Cloud[] = [
  aws,
  azure,
  digitalocean,
  gce,
  hetzner,
  linode,
  local,
  metal,
  openstack,
  scaleway,
];
