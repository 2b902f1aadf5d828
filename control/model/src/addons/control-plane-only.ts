/** Affinity of pods that run on machines with one of these roles, as their labels name them. */
export const onlyOn = (...roles: readonly string[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: roles.map((role) => ({
        matchExpressions: [{ key: `node-role.kubernetes.io/${role}`, operator: 'Exists' }],
      })),
    },
  },
});

/**
 * Affinity of pods that run on control planes: pods that need the permissions of these machines, and those whose service
 * account can do more than a thief of a worker should (control/model/src/addon-rights.test.ts).
 */
export const CONTROL_PLANE_ONLY = onlyOn('control-plane');

/** Places pods on control planes, whatever their taints. */
export const ON_CONTROL_PLANES = { affinity: CONTROL_PLANE_ONLY, tolerations: [{ operator: 'Exists' }] };
