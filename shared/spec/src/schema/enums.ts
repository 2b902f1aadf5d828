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

/** Specs spell the role of a control plane in three ways. The user's spelling is kept. */
export const instanceGroupRole = oneOf('Master', 'ControlPlane', 'control-plane', 'Node', 'APIServer', 'Bastion');
