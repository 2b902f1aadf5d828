import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { serializePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash } from '@kopsctl/node-plan/plan-hash.ts';

/** A node plan with one file, /etc/who, which contains the identity of the machine. */
export function whoPlan(
  cluster: string,
  of: Pick<NodePlan, 'kubernetesVersion' | 'namesFromAddresses'>,
): { readonly bytes: Uint8Array; readonly hash: string } {
  const bytes = serializePlan({
    apiVersion: 'kopsctl.io/v1',
    kind: 'NodePlan',
    cluster,
    instanceGroup: 'nodes',
    role: 'ControlPlane',
    ...of,
    tasks: [
      {
        kind: 'File',
        name: 'who',
        props: {
          path: '/etc/who',
          mode: '0644',
          content: { text: '@{nodeName} @{address} @{zone} @{instanceId}' },
        },
      },
    ],
  });
  return { bytes, hash: planHash(bytes) };
}
