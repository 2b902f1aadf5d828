import { list, map, object, type ValueOf } from './field.ts';

const requirement = object({ key: 'string', operator: 'string', values: list('string') });

/** One condition on a label or field. */
export interface SelectorRequirement extends ValueOf<typeof requirement> {}

const nodeSelectorTerm = object({
  matchExpressions: list(object({ key: 'string', operator: 'string', values: list('string') })),
  matchFields: list(requirement),
});

/** Selects nodes. */
export interface NodeSelectorTerm extends ValueOf<typeof nodeSelectorTerm> {}

const labelSelector = object({ matchExpressions: list(requirement), matchLabels: map('string') });

/** A Kubernetes label selector. */
export interface LabelSelector extends ValueOf<typeof labelSelector> {}

const podAffinityTerm = object({
  labelSelector,
  matchLabelKeys: list('string'),
  mismatchLabelKeys: list('string'),
  namespaceSelector: labelSelector,
  namespaces: list('string'),
  topologyKey: 'string',
});

/** Selects pods, and the topology that defines what is close to them. */
export interface PodAffinityTerm extends ValueOf<typeof podAffinityTerm> {}

const podAffinity = object({
  preferredDuringSchedulingIgnoredDuringExecution: list(
    object({
      podAffinityTerm: object({
        labelSelector: object({ matchExpressions: list(requirement), matchLabels: map('string') }),
        matchLabelKeys: list('string'),
        mismatchLabelKeys: list('string'),
        namespaceSelector: object({ matchExpressions: list(requirement), matchLabels: map('string') }),
        namespaces: list('string'),
        topologyKey: 'string',
      }),
      weight: 'int32',
    }),
  ),
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
});

/** Pod (anti-)affinity terms. */
export interface PodAffinity extends ValueOf<typeof podAffinity> {}

export const affinity = object({
  nodeAffinity: object({
    preferredDuringSchedulingIgnoredDuringExecution: list(
      object({
        preference: object({
          matchExpressions: list(object({ key: 'string', operator: 'string', values: list('string') })),
          matchFields: list(object({ key: 'string', operator: 'string', values: list('string') })),
        }),
        weight: 'int32',
      }),
    ),
    requiredDuringSchedulingIgnoredDuringExecution: object({ nodeSelectorTerms: list(nodeSelectorTerm) }),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

/** Where pods are placed in relation to nodes and other pods. */
export interface Affinity extends ValueOf<typeof affinity> {}
