import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { networkName } from '../names.ts';
import { read, resourcePath } from './compute-calls.ts';
import { ownNetwork } from './own-names.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundNetwork {
  readonly makesSubnets: boolean;
}

export const networkHandler = resourceHandler<'gce/Network', FoundNetwork>({
  kind: 'gce/Network',
  noun: 'network',
  path: (props, { project }) =>
    'sharedName' in props
      ? resourcePath(props.project, 'global', 'networks', props.sharedName)
      : resourcePath(project, 'global', 'networks', props.name),
  parse(answer) {
    const name = answer.text('name');
    // Legacy networks have a range of their own, and no subnets.
    if (answer.text('IPv4Range', '') !== '') {
      throw new ActionableError({
        what: `use the network ${name}`,
        why: 'it is a legacy network, which has no subnets',
        next: 'name another network in spec.networkID, or remove the field to create one',
      });
    }
    return { makesSubnets: answer.flag('autoCreateSubnetworks') };
  },
  wanted: (props) => ('sharedName' in props ? {} : { autoCreateSubnetworks: false }),
  present: ({ makesSubnets }, props) => ('sharedName' in props ? {} : { autoCreateSubnetworks: makesSubnets }),
  body: (props) => ('sharedName' in props ? undefined : { autoCreateSubnetworks: false }),
  async owned(gce, signal) {
    const path = ownNetwork(gce);
    if (path === undefined || (await read(gce, path, signal)) === undefined) return [];
    const name = networkName(gce.clusterName);
    return [{ name, description: `network ${name}`, handle: path }];
  },
});
