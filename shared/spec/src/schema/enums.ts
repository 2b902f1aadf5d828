import { oneOf } from './field.ts';

/** `local` is our own: machines on this computer. */
export const cloudProvider = oneOf(
  'aws',
  'azure',
  'digitalocean',
  'gce',
  'hetzner',
  'linode',
  'local',
  'metal',
  'openstack',
  'scaleway',
);

/** A control-plane group is spelled in three ways in the wild; the user's spelling is kept. */
export const instanceGroupRole = oneOf('Master', 'ControlPlane', 'control-plane', 'Node', 'APIServer', 'Bastion');
