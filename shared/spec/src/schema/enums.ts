import { oneOf } from './field.ts';

/** `local` does not exist in kops: its machines run on this computer. */
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

/** There are three spellings of the control plane's role. The user's spelling is kept. */
export const instanceGroupRole = oneOf('Master', 'ControlPlane', 'control-plane', 'Node', 'APIServer', 'Bastion');
