import { everywhere } from '@kopsctl/model/create-cluster/channel.ts';
import type { CloudRules } from '@kopsctl/model/create-cluster/cloud-rules.ts';
import { given } from '@kopsctl/model/create-cluster/given.ts';
import { oneZoneRules } from '@kopsctl/model/create-cluster/one-zone-rules.ts';
import { ownFlags } from '@kopsctl/model/create-cluster/own-flags.ts';
import { TOY_FLAGS } from './create-cluster-flags.ts';

/** How clusters in the toy cloud are inferred from flags. */
export const toyCreation: CloudRules = {
  ...oneZoneRules('the toy cloud', {
    place: 'room',
    images: { amd64: 'toy-os' },
    machineTypes: everywhere('toy-small'),
  }),
  settings: (flags) => given({ project: ownFlags(flags, TOY_FLAGS).text('toyProject') }),
};
