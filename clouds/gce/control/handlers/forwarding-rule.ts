import type { PropsOf } from '../kinds/gce-kinds.ts';
import { FORWARDED_IDS } from '../model/api-load-balancer.ts';
import { change, pathIn, resourcePath } from './compute-calls.ts';
import { keptLabels } from './kept-labels.ts';
import { subnetNames } from './own-names.ts';
import { ownedResources } from './owned-resources.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundRule {
  readonly address: string;
  readonly ports: readonly string[];
  readonly protocol: string;
  /** A target pool or a backend service. */
  readonly target: string;
  readonly subnetwork: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly labelFingerprint: string;
}

const PROTOCOL = 'TCP';

export const forwardingRuleHandler = resourceHandler<'gce/ForwardingRule', FoundRule>({
  kind: 'gce/ForwardingRule',
  noun: 'forwarding rule',
  path: ({ region, name }, { project }) => resourcePath(project, `regions/${region}`, 'forwardingRules', name),
  parse: (answer) => ({
    address: answer.text('IPAddress'),
    ports: answer.has('portRange') ? [answer.text('portRange')] : answer.texts('ports').toSorted(),
    protocol: answer.text('IPProtocol'),
    target: pathIn(answer.text('target', '') || answer.text('backendService', '')),
    subnetwork: pathIn(answer.text('subnetwork', '')),
    labels: answer.textsByName('labels'),
    labelFingerprint: answer.text('labelFingerprint'),
  }),
  wanted: (props) => ({
    address: props.address,
    protocol: PROTOCOL,
    labels: props.labels,
    ...('targetPool' in props
      ? { ports: [rangeOf(props)], target: props.targetPool }
      : { ports: props.ports.toSorted(), target: props.backendService, subnetwork: props.subnetwork }),
  }),
  present: ({ address, ports, protocol, target, subnetwork, labels }, wanted) => ({
    address,
    protocol,
    labels: keptLabels(wanted.labels, labels),
    ports,
    target,
    ...('targetPool' in wanted ? {} : { subnetwork }),
  }),
  changeable: ['labels'],
  body: (props) => ({
    IPAddress: props.address,
    IPProtocol: PROTOCOL,
    ...('targetPool' in props
      ? { loadBalancingScheme: 'EXTERNAL', portRange: rangeOf(props), target: props.targetPool }
      : {
          loadBalancingScheme: 'INTERNAL',
          ports: props.ports,
          backendService: props.backendService,
          network: props.network,
          subnetwork: props.subnetwork,
        }),
  }),
  // Google takes labels by a call of their own.
  isMadeBare: true,
  update: ({ path, props }, { labels, labelFingerprint }, gce, signal) => {
    const body = { labels: { ...labels, ...props.labels }, labelFingerprint };
    return change(gce, { method: 'POST', path: `${path}/setLabels`, body }, signal);
  },
  owned: (gce, signal) =>
    ownedResources(
      gce,
      {
        noun: 'forwarding rule',
        place: `regions/${gce.region}`,
        collection: 'forwardingRules',
        fields: 'name,labels,network',
        objects: ['api', ...subnetNames(gce).flatMap((subnet) => FORWARDED_IDS.map((id) => `${id}-${subnet}`))],
      },
      signal,
    ),
});

const rangeOf = ({ ports }: Pick<PropsOf<'gce/ForwardingRule'>, 'ports'>): string => `${ports[0]}-${ports.at(-1)}`;
