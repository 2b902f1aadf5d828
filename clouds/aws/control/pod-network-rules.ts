import type { ClusterSpec, KubeletConfig } from '@kopsctl/spec/cluster.ts';
import type { ClusterRule, Correction } from '@kopsctl/spec/complete/rule.ts';
import { usesInterfacesOfVpc } from '@kopsctl/spec/names.ts';

const POD_LIMIT = 'no value here: as many as the network interfaces of each machine have addresses for, at most 110';
const UNKNOWN_PODS =
  'no value: pods have addresses of the VPC, and kube-proxy would masquerade what other pods send to Services';

/** What has no value where pods have addresses of the VPC (kops pkg/model/components/kubeproxy.go). */
export const leftToPodNetwork = (spec: ClusterSpec): Readonly<Record<string, string>> => ({
  ...(usesInterfacesOfVpc(spec) && { 'spec.kubelet.maxPods': POD_LIMIT, 'spec.masterKubelet.maxPods': POD_LIMIT }),
  ...(spec.networking?.amazonvpc !== undefined && { 'spec.kubeProxy.clusterCIDR': UNKNOWN_PODS }),
});

const WAITS_FOR_NONE = { shutdownGracePeriod: '0s', shutdownGracePeriodCriticalPods: '0s' };

/**
 * A machine that is shutting down does not wait for its pods: the network's own must end last, because it releases the interfaces
 * of the others (kops pkg/model/components/kubelet.go).
 */
export const networkEndsLast: ClusterRule = {
  name: "kops default with Amazon's network",
  infer: ({ spec, defaults }) =>
    spec.networking?.amazonvpc === undefined || defaults?.gracefulShutdown === false
      ? {}
      : { kubelet: WAITS_FOR_NONE, masterKubelet: WAITS_FOR_NONE },
};

/** Also where a person has set how long it waits. */
export const networkAlwaysEndsLast: Correction = {
  name: "kops sets it with Amazon's network, whatever the spec says",
  cluster: (spec) =>
    spec.networking?.amazonvpc === undefined
      ? spec
      : {
          ...spec,
          ...(spec.kubelet && { kubelet: waitingForNone(spec.kubelet) }),
          ...(spec.masterKubelet && { masterKubelet: waitingForNone(spec.masterKubelet) }),
        },
  instanceGroup: (spec, { networking }) =>
    networking?.amazonvpc === undefined || spec.kubelet === undefined
      ? spec
      : { ...spec, kubelet: waitingForNone(spec.kubelet) },
};

const waitingForNone = (kubelet: KubeletConfig): KubeletConfig =>
  kubelet.shutdownGracePeriod === undefined ? kubelet : { ...kubelet, ...WAITS_FOR_NONE };
