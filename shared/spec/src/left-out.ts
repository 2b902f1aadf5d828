import type { Cluster, ClusterSpec } from './cluster.ts';
import type { FieldError } from './field-error.ts';

interface LeftOut {
  readonly path: string;
  readonly isWished: (spec: ClusterSpec) => boolean;
  readonly message: string;
  readonly hint: string;
}

/**
 * Wishes that this suite knows of and does not carry out, though the cluster works without them. They are told each
 * time the cluster is planned: whoever wrote them has to know.
 */
const LEFT_OUT: readonly LeftOut[] = [
  {
    path: 'spec.authentication.aws',
    isWished: ({ authentication }) => authentication?.aws !== undefined,
    message: 'aws-iam-authenticator is not installed, and the API server is not told of it',
    hint: 'install it by a channel of spec.addons, with spec.fileAssets and spec.kubeAPIServer.authenticationTokenWebhookConfigFile',
  },
  {
    path: 'spec.authentication.kopeio',
    isWished: ({ authentication }) => authentication?.kopeio !== undefined,
    message: "kopeio's authentication is not installed",
    hint: 'use spec.authentication.oidc',
  },
  {
    path: 'spec.karpenter',
    isWished: ({ karpenter }) => karpenter?.enabled === true,
    message: 'Karpenter is not installed, so that nobody makes machines of groups with manager: Karpenter',
    hint: 'use spec.clusterAutoscaler, or install it by a channel of spec.addons',
  },
  {
    path: 'spec.clusterAutoscaler',
    isWished: ({ clusterAutoscaler, cloudProvider }) => clusterAutoscaler?.enabled === true && cloudProvider !== 'aws',
    message: 'the cluster autoscaler is installed on AWS only',
    hint: 'install it by a channel of spec.addons',
  },
  {
    path: 'spec.externalDns.provider',
    isWished: ({ externalDns, cloudProvider }) =>
      externalDns?.provider === 'external-dns' && externalDns.disable !== true && cloudProvider !== 'aws',
    message: 'external-dns is installed on AWS only',
    hint: 'install it by a channel of spec.addons',
  },
  {
    path: 'spec.kubelet.maxPods',
    isWished: ({ networking, kubelet }) =>
      (networking?.amazonvpc !== undefined || networking?.cilium?.ipam === 'eni') && kubelet?.maxPods === undefined,
    message: 'nodes do not work out how many pods the interfaces of their machine type carry, and take up to 110',
    hint: 'set it here or in the instance groups, by the type of machine',
  },
  {
    path: 'spec.certManager.hostedZoneIDs',
    isWished: ({ certManager }) => (certManager?.hostedZoneIDs ?? []).length > 0,
    message: 'cert-manager gets no role for hosted zones',
    hint: 'give its service account kube-system/cert-manager one by spec.iam.serviceAccountExternalPermissions',
  },
];

/** The wishes of a cluster that are left out. */
export const wishesLeftOut = ({ spec }: Cluster): readonly FieldError[] =>
  LEFT_OUT.filter(({ isWished }) => isWished(spec)).map(({ path, message, hint }) => ({ path, message, hint }));
