import type { OwnFlags } from '@kopsctl/model/create-cluster/own-flags.ts';
import { AWS_FLAGS } from './aws/control/create-cluster-flags.ts';
import { AZURE_FLAGS } from './azure/control/create-cluster-flags.ts';
import { GCE_FLAGS } from './gce/control/create-cluster-flags.ts';
import { OPENSTACK_FLAGS } from './openstack/control/create-cluster-flags.ts';

/**
 * The flags of `create cluster` that only one cloud has, by name. They are apart from the clouds themselves, because a command
 * line is declared at every start.
 */
export const OWN_FLAGS: OwnFlags = { ...GCE_FLAGS, ...OPENSTACK_FLAGS, ...AZURE_FLAGS, ...AWS_FLAGS };
