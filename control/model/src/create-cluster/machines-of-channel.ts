import type { InstanceGroupRule } from '@kopsctl/spec/complete/rule.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import { imageFor, type MachineRole } from './channel.ts';
import type { CloudRules } from './cloud-rules.ts';
import { imagesOfType } from './instance-groups.ts';

/** What `create cluster` calls the roles of machines. */
export const MACHINE_ROLE: Readonly<Record<Role, MachineRole>> = {
  ControlPlane: 'controlPlane',
  Node: 'node',
  APIServer: 'apiServer',
  Bastion: 'bastion',
};

/**
 * A group that says neither which machines it has nor what they boot from gets what a new cluster would (kops
 * upup/pkg/fi/cloudup/populate_instancegroup_spec.go).
 */
export const machinesOfChannel = (rules: CloudRules): InstanceGroupRule => ({
  name: 'what kops recommends for new groups',
  infer: ({ spec, ...group }, { spec: { kubernetesVersion } }) => {
    if (kubernetesVersion === undefined) return {};
    // Karpenter chooses the machines itself.
    const recommended =
      spec.manager !== 'Karpenter' ? rules.machineTypes?.[MACHINE_ROLE[roleOf({ ...group, spec })]] : undefined;
    const images = imagesOfType(rules, spec.machineType ?? recommended);
    return { machineType: recommended, image: images && imageFor(images, kubernetesVersion) };
  },
});
