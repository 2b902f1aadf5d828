/** The affinity of pods that run beside an API server, with what its machine may do. */
export const CONTROL_PLANE_ONLY = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }] }],
    },
  },
};
