import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { firstWith } from '@kopsctl/spec/kubernetes-versions.ts';
import { faultsOf } from '@kopsctl/spec/unread/unread-field.ts';
import type { Fault } from '@kopsctl/spec/validate/fault.ts';

/** What the configuration of the cloud controller manager says (addons/cloud-controller.ts). */
const OF_CONTROLLER = ['disableSecurityGroupIngress', 'elbSecurityGroup', 'nlbSecurityGroupMode', 'nodeIPFamilies'];

/** Settings of the cloud provider where kube-controller-manager and kubelet contain it: they get no configuration. */
export const cloudConfigLeftOut = (cluster: Cluster): readonly Fault[] =>
  cluster.spec.cloudControllerManager === undefined
    ? OF_CONTROLLER.flatMap((field) =>
        faultsOf(
          {
            path: `spec.cloudConfig.${field}`,
            message: 'it is not read: only the cloud controller manager is configured, which this cluster does not run',
            hint: `remove it, or use Kubernetes ${firstWith('externalCloudProvider', true)} or newer`,
          },
          cluster,
        ),
      )
    : [];
