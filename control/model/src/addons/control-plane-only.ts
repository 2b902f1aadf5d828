/**
 * Affinity of pods that run on control planes: those that need the permissions of these machines, and those whose service
 * account can do more than a thief of a worker should (control/model/src/addon-rights.test.ts).
 */
export const CONTROL_PLANE_ONLY = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }] }],
    },
  },
};

/** Places pods on control planes, whatever their taints. */
export const ON_CONTROL_PLANES = { affinity: CONTROL_PLANE_ONLY, tolerations: [{ operator: 'Exists' }] };
