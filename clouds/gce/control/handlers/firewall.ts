import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import type { PropsOf } from '../kinds/gce-kinds.ts';
import { FIREWALL_IDS } from '../model/firewall.ts';
import { change, pathIn, resourcePath } from './compute-calls.ts';
import { networkProject } from './own-names.ts';
import { ownedResources } from './owned-resources.ts';
import { resourceHandler } from './resource-handler.ts';

interface FoundFirewall {
  readonly network: string;
  readonly allow: readonly string[];
  readonly sourceRanges: readonly string[];
  readonly sourceTags: readonly string[];
  readonly targetTags: readonly string[];
  readonly disabled: boolean;
}

/** Rules that allow ingress. Google keeps no order of protocols, ranges and tags. */
export const firewallHandler = resourceHandler<'gce/Firewall', FoundFirewall>({
  kind: 'gce/Firewall',
  noun: 'firewall rule',
  path: (props, { project }) => resourcePath(props.project ?? project, 'global', 'firewalls', props.name),
  parse: (answer) => ({
    network: pathIn(answer.text('network')),
    allow: answer.list('allowed').flatMap(linesOf).toSorted(),
    sourceRanges: answer.texts('sourceRanges').toSorted(),
    sourceTags: answer.texts('sourceTags').toSorted(),
    targetTags: answer.texts('targetTags').toSorted(),
    disabled: answer.flag('disabled'),
  }),
  wanted: ({ network, allow, sourceRanges = [], sourceTags = [], targetTags, disabled }) => ({
    network,
    allow: allow.flatMap(({ protocol, ports }) => ports?.map((port) => `${protocol}:${port}`) ?? [protocol]).toSorted(),
    sourceRanges: sourceRanges.toSorted(),
    sourceTags: sourceTags.toSorted(),
    targetTags: targetTags.toSorted(),
    disabled,
  }),
  present: ({ network, allow, sourceRanges, sourceTags, targetTags, disabled }) => ({
    network,
    allow,
    sourceRanges,
    sourceTags,
    targetTags,
    disabled,
  }),
  changeable: ['allow', 'sourceRanges', 'sourceTags', 'targetTags', 'disabled'],
  body: ruleOf,
  // The whole rule: a patch could not take a list away.
  update: ({ path, props }, _found, gce, signal) =>
    change(gce, { method: 'PUT', path, body: { name: props.name, ...ruleOf(props) } }, signal),
  owned: (gce, signal) =>
    ownedResources(
      gce,
      {
        noun: 'firewall rule',
        project: networkProject(gce),
        place: 'global',
        collection: 'firewalls',
        fields: 'name,network',
        objects: FIREWALL_IDS,
      },
      signal,
    ),
});

/** `tcp:443`, `tcp:30000-32767`, `icmp`. Google has numbers of protocols as well as names. */
function linesOf(allowed: AnswerFields): readonly string[] {
  const [protocol, ports] = [allowed.text('IPProtocol'), allowed.texts('ports')];
  return ports.length === 0 ? [protocol] : ports.map((port) => `${protocol}:${port}`);
}

function ruleOf({ network, allow, sourceRanges, sourceTags, targetTags, disabled }: PropsOf<'gce/Firewall'>) {
  return {
    network,
    direction: 'INGRESS',
    allowed: allow.map(({ protocol, ports }) => ({ IPProtocol: protocol, ...(ports && { ports }) })),
    ...(sourceRanges && { sourceRanges }),
    ...(sourceTags && { sourceTags }),
    targetTags,
    disabled,
  };
}
