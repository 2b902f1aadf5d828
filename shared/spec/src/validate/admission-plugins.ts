import type { ClusterSpec } from '../cluster.ts';
import { kubernetesFacts } from '../kubernetes-versions.ts';
import { fault, type Fault } from './fault.ts';

/** Lists of which kops leaves nothing out. */
const PASSED_ON = ['appendAdmissionPlugins', 'disableAdmissionPlugins'] as const;

/** As in kops, not even the list that is replaced may name it: pods that it refused would be admitted. */
const GUARDS_PODS = 'PodSecurityPolicy';

/** Refuses admission plugins that this version of Kubernetes no longer has: an API server does not start with their names. */
export function* validateAdmissionPlugins({
  kubernetesVersion = '',
  kubeAPIServer = {},
}: ClusterSpec): Iterable<Fault> {
  for (const { plugin, until } of kubernetesFacts(kubernetesVersion)?.removedAdmissionPlugins ?? []) {
    const lists = plugin === GUARDS_PODS ? ([...PASSED_ON, 'enableAdmissionPlugins'] as const) : PASSED_ON;
    for (const list of lists) {
      const index = kubeAPIServer[list]?.indexOf(plugin) ?? -1;
      if (index === -1) continue;
      yield fault(
        `spec.kubeAPIServer.${list}[${index}]`,
        `Kubernetes ${kubernetesVersion} does not have the admission plugin ${plugin}; only versions below ${until} have it`,
        plugin === GUARDS_PODS
          ? 'remove it, and give namespaces the labels of Pod Security Admission (pod-security.kubernetes.io/enforce)'
          : 'remove it',
      );
    }
  }
}
