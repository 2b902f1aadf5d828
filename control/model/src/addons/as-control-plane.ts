import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { CONTROL_PLANE_ONLY } from './control-plane-only.ts';

/** A pod that calls the cloud with the permissions of control planes, because it runs on one of them. */
export const asControlPlane = (account: string, pod: JsonObject): JsonObject => ({
  affinity: CONTROL_PLANE_ONLY,
  // Without the network of its machine, a pod gets no answer from the metadata service.
  hostNetwork: true,
  tolerations: [{ operator: 'Exists' }],
  ...pod,
  serviceAccountName: account,
});
