import { oneOf } from './field.ts';

/** The clouds of the API, and what each says of the machines. `local` does not exist in kops. */
export const CLOUD_TEXTS = [
  ['aws', 'The machines are in AWS, with these settings.'],
  ['azure', 'The machines are in Azure, with these settings.'],
  ['digitalocean', 'The machines are in DigitalOcean.'],
  ['gce', 'The machines are in Google Compute Engine, with these settings.'],
  ['hetzner', 'The machines are in Hetzner Cloud.'],
  ['linode', 'The machines are in Linode.'],
  ['local', 'The machines are systemd-nspawn containers on this computer. kops does not have this cloud.'],
  ['metal', 'The machines are in no cloud, and join by themselves.'],
  ['openstack', 'The machines are in OpenStack, with these settings.'],
  ['scaleway', 'The machines are in Scaleway.'],
] as const;

export const cloudProvider = oneOf(...CLOUD_TEXTS.map(([name]) => name));

/** There are three spellings of the control plane's role. The user's spelling is kept. */
export const instanceGroupRole = oneOf('Master', 'ControlPlane', 'control-plane', 'Node', 'APIServer', 'Bastion');
