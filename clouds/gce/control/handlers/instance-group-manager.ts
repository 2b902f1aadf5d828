import type { PropsOf } from '../kinds/gce-kinds.ts';
import { clusterGroups } from './cluster-groups.ts';
import { change, DONE_WITHIN_MS, pathIn, resourcePath } from './compute-calls.ts';
import { resourceHandler } from './resource-handler.ts';
import { removeUnusedTemplates } from './unused-templates.ts';

interface FoundGroup {
  readonly instanceGroup: string;
  readonly templates: readonly string[];
  readonly baseInstanceName: string;
  readonly targetSize: number;
  readonly targetPools: readonly string[];
  readonly updatePolicy: Readonly<Record<string, string>>;
  readonly fingerprint: string;
}

type Sizes = Pick<PropsOf<'gce/InstanceGroupManager'>, 'targetSize' | 'largestSize' | 'isScaledByOthers'>;

/** A new template replaces no machine: that is the task of a rolling update. */
const UPDATE_POLICY = { type: 'OPPORTUNISTIC', minimalAction: 'REPLACE' } as const;

export const instanceGroupManagerHandler = resourceHandler<'gce/InstanceGroupManager', FoundGroup>({
  kind: 'gce/InstanceGroupManager',
  noun: 'managed instance group',
  deadlineMs: DONE_WITHIN_MS,
  path: ({ zone, name }, { project }) => resourcePath(project, `zones/${zone}`, 'instanceGroupManagers', name),
  parse(answer) {
    const policy = answer.has('updatePolicy') ? answer.object('updatePolicy') : undefined;
    return {
      instanceGroup: pathIn(answer.text('instanceGroup')),
      templates: answer.list('versions').map((version) => pathIn(version.text('instanceTemplate'))),
      baseInstanceName: answer.text('baseInstanceName'),
      targetSize: answer.count('targetSize'),
      targetPools: answer.texts('targetPools').map(pathIn).toSorted(),
      updatePolicy: { type: policy?.text('type', '') ?? '', minimalAction: policy?.text('minimalAction', '') ?? '' },
      fingerprint: answer.text('fingerprint'),
    };
  },
  wanted: (props) => ({
    baseInstanceName: props.baseInstanceName,
    templates: [props.template],
    targetPools: props.targetPools.toSorted(),
    updatePolicy: UPDATE_POLICY,
    targetSize: sizeText(props),
  }),
  present: ({ baseInstanceName, templates, targetPools, updatePolicy, targetSize }, props) => ({
    baseInstanceName,
    templates,
    targetPools,
    updatePolicy,
    targetSize: keptSize(targetSize, props) === targetSize ? sizeText(props) : targetSize,
  }),
  changeable: ['templates', 'targetPools', 'updatePolicy', 'targetSize'],
  body: (props) => ({
    baseInstanceName: props.baseInstanceName,
    targetSize: props.targetSize,
    listManagedInstancesResults: 'PAGINATED',
    ...partsOf(props),
  }),
  async update({ path, props, changed }, { fingerprint, targetSize }, gce, signal) {
    // Machines that are added already follow the new template.
    if (['templates', 'targetPools', 'updatePolicy'].some((field) => changed.has(field))) {
      await change(gce, { method: 'PATCH', path, body: { ...partsOf(props), fingerprint } }, signal);
    }
    if (changed.has('targetSize')) {
      const query = { size: String(keptSize(targetSize, props)) };
      await change(gce, { method: 'POST', path: `${path}/resize`, query }, signal);
    }
    // The former template, if no machine was made from it; otherwise it is removed with the last of them.
    if (changed.has('templates')) await removeUnusedTemplates(gce, props.baseInstanceName, signal);
  },
  outputs: ({ instanceGroup }) => ({ instanceGroup }),
  owned: async (gce, signal) =>
    (await clusterGroups(gce, signal)).map(({ path, name }) => ({
      name,
      description: `managed instance group ${name}`,
      handle: path,
    })),
});

/**
 * The size that a group gets. Within the bounds of the spec it keeps its own size: somebody chose it for a reason. An autoscaler
 * keeps to the upper bound by itself, but does not scale up to a new lower bound.
 */
function keptSize(size: number, { targetSize, largestSize, isScaledByOthers }: Sizes): number {
  const notTooSmall = Math.max(size, targetSize);
  return isScaledByOthers ? notTooSmall : Math.min(notTooSmall, largestSize);
}

const sizeText = ({ targetSize, largestSize, isScaledByOthers }: Sizes): number | string => {
  if (isScaledByOthers) return `${targetSize} or more`;
  return targetSize === largestSize ? targetSize : `from ${targetSize} to ${largestSize}`;
};

const partsOf = ({ template, targetPools }: PropsOf<'gce/InstanceGroupManager'>) => ({
  versions: [{ instanceTemplate: template }],
  targetPools,
  updatePolicy: UPDATE_POLICY,
});
