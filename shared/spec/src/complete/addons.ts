import type { ClusterRule } from './rule.ts';

/** Defaults of the addons that every cloud has, if the spec enables them. */
export const addonRules: readonly ClusterRule[] = [
  {
    name: 'image of the cluster DNS',
    infer: ({ spec: { kubeDNS }, defaults }) => ({
      kubeDNS: {
        // It scales the DNS servers with the cluster.
        cpaImage: 'registry.k8s.io/cpa/cluster-proportional-autoscaler:v1.9.0',
        coreDNSImage:
          kubeDNS?.provider === 'CoreDNS' && defaults !== undefined
            ? `registry.k8s.io/coredns/coredns:${defaults.coreDnsVersion}`
            : undefined,
        nodeLocalDNS:
          kubeDNS?.nodeLocalDNS?.enabled === true
            ? { forwardToKubeDNS: false, image: 'registry.k8s.io/dns/k8s-dns-node-cache:1.26.0' }
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
