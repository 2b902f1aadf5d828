import { list, map, object } from './field.ts';

/** One condition on a label or field. */
const requirement = object({ key: 'string', operator: 'string', values: list('string') });

/** Selects nodes. */
const nodeSelectorTerm = object({
  matchExpressions: list(object({ key: 'string', operator: 'string', values: list('string') })),
  matchFields: list(requirement),
});

/** A Kubernetes label selector. */
const labelSelector = object({ matchExpressions: list(requirement), matchLabels: map('string') });

/** Selects pods, and the topology that defines what is close to them. */
const podAffinityTerm = object({
  labelSelector,
  matchLabelKeys: list('string'),
  mismatchLabelKeys: list('string'),
  namespaceSelector: labelSelector,
  namespaces: list('string'),
  topologyKey: 'string',
});

/** Pod (anti-)affinity terms. */
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

/** Where pods are placed in relation to nodes and other pods. */
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
