import { byKubernetes, type ByKubernetes } from '@kopsctl/model/addons/by-kubernetes.ts';

/** The registry of EKS, which is public. */
const REGISTRY = '602401143452.dkr.ecr.us-west-2.amazonaws.com';

interface Release {
  readonly version: string;
  /** The agent that enforces NetworkPolicies exists from 1.14 on. */
  readonly policyAgent?: string;
}

const RELEASES: ByKubernetes<Release> = [
  { since: '1.20.0', use: { version: 'v1.12.6' } },
  { since: '1.24.0', use: { version: 'v1.19.0', policyAgent: 'v1.1.5' } },
  { since: '1.29.0', use: { version: 'v1.23.0', policyAgent: 'v1.4.1' } },
];

/** The release of Amazon's network for a version of Kubernetes. */
export const amazonVpcRelease = (kubernetesVersion: string): Release => byKubernetes(RELEASES, kubernetesVersion);

/** The images of that release, as spec.networking.amazonvpc names them. */
export function amazonVpcImages(kubernetesVersion: string) {
  const { version, policyAgent } = amazonVpcRelease(kubernetesVersion);
  return {
    imageName: `${REGISTRY}/amazon-k8s-cni:${version}`,
    initImageName: `${REGISTRY}/amazon-k8s-cni-init:${version}`,
    networkPolicyAgentImage:
      policyAgent === undefined ? undefined : `${REGISTRY}/amazon/aws-network-policy-agent:${policyAgent}`,
  };
}
