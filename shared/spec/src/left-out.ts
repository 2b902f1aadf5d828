import type { SpecCloud } from './cloud.ts';
import type { CiliumNetworking, Cluster, ClusterSpec, NetworkingSpec } from './cluster.ts';
import type { FieldError } from './field-error.ts';
import { isIpv6Alone } from './names.ts';
import { RETIRED_SETTINGS } from './retired-settings.ts';

interface LeftOut {
  readonly path: string;
  readonly isWished: (spec: ClusterSpec, features: SpecCloud['features']) => boolean;
  readonly message: string;
  readonly hint: string;
}

/**
 * Networks of kops that this suite does not install, and what to use instead. Where kops has dropped them, they are refused
 * (validate/pod-network.ts).
 */
const NETWORKS: Readonly<Partial<Record<keyof NetworkingSpec, string>>> = {
  canal: 'use calico',
  kopeio: 'use flannel',
  weave: 'use flannel, or calico for policies',
};

interface CiliumWish {
  readonly field: string;
  readonly isWished: (cilium: CiliumNetworking) => boolean;
  readonly message: string;
  readonly hint: string;
}

/** Without Cilium's Services, its operator ignores Ingresses and Gateways; without the proxy, nothing serves them. */
const servesNothing = ({ enableNodePort, enableL7Proxy }: CiliumNetworking): boolean =>
  enableNodePort !== true || enableL7Proxy === false;
const NOT_SERVED = 'Cilium serves none of them without enableNodePort, nor with enableL7Proxy: false';
const SERVICES = 'set enableNodePort: true and spec.kubeProxy.enabled: false, and leave enableL7Proxy out';

/** Features of Cilium that need another setting. */
const CILIUM: readonly CiliumWish[] = [
  {
    field: 'ingress',
    isWished: (cilium) => cilium.ingress?.enabled === true && servesNothing(cilium),
    message: `Ingresses: ${NOT_SERVED}`,
    hint: SERVICES,
  },
  {
    field: 'gatewayAPI',
    isWished: (cilium) => cilium.gatewayAPI?.enabled === true && servesNothing(cilium),
    message: `Gateways: ${NOT_SERVED}`,
    hint: SERVICES,
  },
];

const COMPONENTS = [
  ['kubeAPIServer', 'kube-apiserver', RETIRED_SETTINGS.kubeAPIServer],
  ['kubeScheduler', 'kube-scheduler', RETIRED_SETTINGS.kubeScheduler],
  ['kubelet', 'kubelet', RETIRED_SETTINGS.kubelet],
  ['masterKubelet', 'kubelet', RETIRED_SETTINGS.kubelet],
] as const;

const RETIRED = COMPONENTS.flatMap(([section, component, fields]) =>
  fields.map((field): LeftOut => ({
    path: `spec.${section}.${field}`,
    isWished: ({ [section]: config = {} }) => Object.hasOwn(config, field),
    message: `no ${component} since Kubernetes 1.20 has this setting`,
    hint: 'remove it',
  })),
);

/**
 * Settings that are valid but have no effect in this suite. They are reported each time the cluster is planned, so that
 * users know what they have to install themselves.
 */
const LEFT_OUT: readonly LeftOut[] = [
  ...Object.entries(NETWORKS).map(([network, instead]): LeftOut => ({
    path: `spec.networking.${network}`,
    isWished: ({ networking = {} }) => Object.hasOwn(networking, network),
    message: 'the network is not installed: no pod starts until you install it',
    hint: `install it with a channel of spec.addons, or ${instead}`,
  })),
  {
    path: 'spec.kubeDNS.provider',
    isWished: (spec) => isIpv6Alone(spec) && spec.kubeDNS?.provider === 'KubeDNS',
    message: 'this server translates no IPv4 addresses (DNS64), so pods do not reach hosts that have no others',
    hint: 'use CoreDNS',
  },
  ...CILIUM.map(({ field, isWished, message, hint }): LeftOut => ({
    path: `spec.networking.cilium.${field}`,
    isWished: ({ networking }) => networking?.cilium !== undefined && isWished(networking.cilium),
    message,
    hint,
  })),
  ...RETIRED,
  {
    path: 'spec.authentication.aws',
    isWished: ({ authentication }, features) =>
      authentication?.aws !== undefined && !features.includes('IAM authenticator'),
    message: 'aws-iam-authenticator is not installed in this cloud',
    hint: 'use OpenID Connect: spec.kubeAPIServer.oidcIssuerURL',
  },
  {
    path: 'spec.authentication.kopeio',
    isWished: ({ authentication }) => authentication?.kopeio !== undefined,
    message: "kopeio's authentication is not installed",
    hint: 'use spec.authentication.oidc',
  },
  {
    path: 'spec.clusterAutoscaler',
    isWished: ({ clusterAutoscaler }, features) =>
      clusterAutoscaler?.enabled === true && !features.includes('cluster autoscaler'),
    message: 'the cluster autoscaler is not installed in this cloud',
    hint: 'install it with a channel of spec.addons',
  },
  {
    path: 'spec.externalDns',
    isWished: ({ externalDns }, features) =>
      externalDns?.provider === 'external-dns' && externalDns.disable !== true && !features.includes('external-dns'),
    message: 'external-dns is not installed in this cloud',
    hint: 'install it with a channel of spec.addons',
  },
  {
    path: 'spec.certManager.hostedZoneIDs',
    isWished: ({ certManager, iam }, features) =>
      (certManager?.hostedZoneIDs ?? []).length > 0 &&
      !(features.includes('hosted zones of cert-manager') && iam?.useServiceAccountExternalPermissions === true),
    message: 'cert-manager gets no role for hosted zones: it has one only where components have roles of their own',
    hint: 'set spec.iam.useServiceAccountExternalPermissions',
  },
];

/** The settings of a cluster that have no effect in any cloud with these features. */
export const wishesLeftOut = (cluster: Cluster, { features }: SpecCloud): readonly FieldError[] =>
  LEFT_OUT.filter(({ isWished }) => isWished(cluster.spec, features)).map(({ path, message, hint }) => ({
    path,
    message,
    hint,
  }));
