import type { ClusterRule } from './rule.ts';

/** Scales the DNS servers with the cluster. */
export const DNS_AUTOSCALER_IMAGE = 'registry.k8s.io/cpa/cluster-proportional-autoscaler:v1.9.0';
export const NODE_LOCAL_DNS_IMAGE = 'registry.k8s.io/dns/k8s-dns-node-cache:1.26.0';

/** Defaults of the addons that every cloud has, if the spec enables them. */
export const addonRules: readonly ClusterRule[] = [
  {
    name: 'image of the cluster DNS',
    infer: ({ spec: { kubeDNS }, defaults }) => ({
      kubeDNS: {
        cpaImage: DNS_AUTOSCALER_IMAGE,
        coreDNSImage:
          kubeDNS?.provider === 'CoreDNS' && defaults !== undefined
            ? `registry.k8s.io/coredns/coredns:${defaults.coreDnsVersion}`
            : undefined,
        nodeLocalDNS:
          kubeDNS?.nodeLocalDNS?.enabled === true
            ? { forwardToKubeDNS: false, image: NODE_LOCAL_DNS_IMAGE }
            : undefined,
      },
    }),
  },
  {
    name: 'default of cert-manager',
    infer: ({ spec: { certManager }, defaults }) =>
      certManager?.enabled === true && certManager.managed !== false && defaults !== undefined
        ? {
            certManager: {
              managed: true,
              image: `quay.io/jetstack/cert-manager-controller:${defaults.certManagerVersion}`,
            },
          }
        : {},
  },
  {
    name: 'kops default of the metrics server',
    infer: ({ spec, defaults }) =>
      spec.metricsServer?.enabled === true && defaults !== undefined
        ? {
            metricsServer: {
              image: `registry.k8s.io/metrics-server/metrics-server:${defaults.metricsServerVersion}`,
              insecure: true,
            },
          }
        : {},
  },
  {
    name: 'kops default of the node problem detector',
    infer: ({ spec }) =>
      spec.nodeProblemDetector?.enabled === true
        ? {
            nodeProblemDetector: {
              cpuRequest: '20m',
              image: 'registry.k8s.io/node-problem-detector/node-problem-detector:v0.8.18',
              memoryLimit: '100Mi',
              memoryRequest: '100Mi',
            },
          }
        : {},
  },
];
