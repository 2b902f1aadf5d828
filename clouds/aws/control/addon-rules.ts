import { autoscalerDefaults } from '@kopsctl/model/addons/autoscaler-defaults.ts';
import { byKubernetes, type ByKubernetes } from '@kopsctl/model/addons/by-kubernetes.ts';
import { externalDnsDefaults } from '@kopsctl/model/addons/external-dns-defaults.ts';
import type { ClusterRule } from '@kopsctl/spec/complete/rule.ts';
import { amazonVpcImages } from './addons/amazon-vpc-release.ts';
import { IAM_AUTHENTICATION_CONFIG } from './iam-authenticator-files.ts';

/** The releases of the load balancer controller, by what they were tested with. */
const LOAD_BALANCER_CONTROLLER: ByKubernetes<string> = [
  { since: '1.20.0', use: 'v2.4.7' },
  { since: '1.22.0', use: 'v2.13.0' },
  { since: '1.32.0', use: 'v3.3.0' },
];

/** The releases of the cloud controller (kops pkg/model/components/awscloudcontrollermanager.go). */
const CLOUD_CONTROLLER: ByKubernetes<string> = [
  { since: '1.20.0', use: 'v1.25.15' },
  { since: '1.26.0', use: 'v1.26.12' },
  { since: '1.27.0', use: 'v1.27.9' },
  { since: '1.28.0', use: 'v1.28.9' },
  { since: '1.29.0', use: 'v1.29.6' },
  { since: '1.30.0', use: 'v1.30.3' },
  { since: '1.31.0', use: 'v1.31.0' },
  { since: '1.32.0', use: 'v1.36.1' },
];

/** The release that kops 1.37 installs. */
const IAM_AUTHENTICATOR = 'public.ecr.aws/eks-distro/kubernetes-sigs/aws-iam-authenticator:v0.6.20-eks-1-30-7';

/** Defaults of the addons of AWS, where the spec enables them. */
export const awsAddonRules: readonly ClusterRule[] = [
  {
    name: 'kops default of the cluster autoscaler',
    infer: ({ spec }) =>
      spec.clusterAutoscaler?.enabled === true ? { clusterAutoscaler: { awsUseStaticInstanceList: false } } : {},
  },
  autoscalerDefaults,
  {
    name: 'kops default of the IAM authenticator',
    infer: ({ spec: { authentication } }) =>
      authentication?.aws === undefined
        ? {}
        : {
            authentication: {
              aws: { cpuRequest: '10m', image: IAM_AUTHENTICATOR, memoryLimit: '20Mi', memoryRequest: '20Mi' },
            },
            kubeAPIServer: { authenticationTokenWebhookConfigFile: IAM_AUTHENTICATION_CONFIG },
          },
  },
  {
    name: 'kops default of the load balancer controller',
    infer: ({ spec: { awsLoadBalancerController, kubernetesVersion } }) =>
      awsLoadBalancerController?.enabled === true && kubernetesVersion !== undefined
        ? {
            awsLoadBalancerController: {
              cpuLimit: '200m',
              cpuRequest: '100m',
              enableShield: false,
              enableWAF: false,
              enableWAFv2: false,
              memoryLimit: '500Mi',
              memoryRequest: '200Mi',
              version: byKubernetes(LOAD_BALANCER_CONTROLLER, kubernetesVersion),
            },
          }
        : {},
  },
  externalDnsDefaults,
  {
    // Also applies where a user enables it for a Kubernetes version that does not need it.
    name: 'kops default of the cloud controller manager',
    infer: ({ spec: { cloudControllerManager, kubernetesVersion }, defaults }) =>
      kubernetesVersion !== undefined &&
      (defaults?.externalCloudProvider === true || cloudControllerManager !== undefined)
        ? {
            cloudControllerManager: {
              cloudProvider: 'aws',
              cpuRequest: '200m',
              image: `registry.k8s.io/provider-aws/cloud-controller-manager:${byKubernetes(CLOUD_CONTROLLER, kubernetesVersion)}`,
              logLevel: 2,
              useServiceAccountCredentials: true,
            },
          }
        : {},
  },
  {
    name: 'kops default of a cluster with IPv6',
    infer: ({ spec }) =>
      spec.nonMasqueradeCIDR === '::/0' ? { cloudConfig: { nodeIPFamilies: ['ipv6', 'ipv4'] } } : {},
  },
  {
    name: "default of Amazon's network",
    infer: ({ spec: { networking, kubernetesVersion } }) =>
      networking?.amazonvpc === undefined || kubernetesVersion === undefined
        ? {}
        : { networking: { amazonvpc: amazonVpcImages(kubernetesVersion) } },
  },
  {
    name: 'kops default of the pod identity webhook',
    infer: ({ spec }) => (spec.podIdentityWebhook?.enabled === true ? { podIdentityWebhook: { replicas: 2 } } : {}),
  },
];
