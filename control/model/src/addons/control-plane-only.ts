/** Affinity of pods that run on control planes, with the permissions of these machines. */
export const CONTROL_PLANE_ONLY = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }] }],
    },
  },
};
