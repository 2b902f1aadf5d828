import type { Cluster } from '../cluster.ts';
import { kubernetesFacts } from '../kubernetes-versions.ts';
import { fault, type Fault } from '../validate/fault.ts';

/**
 * Admission plugins that a person enables and that the API server is not told to enable.
 *
 * @param cluster as the user wrote it
 * @param kubernetesVersion that of the completed spec
 */
export function droppedPlugins({ spec: { kubeAPIServer = {} } }: Cluster, kubernetesVersion: string): readonly Fault[] {
  const removed = kubernetesFacts(kubernetesVersion)?.removedAdmissionPlugins ?? [];
  return (['enableAdmissionPlugins', 'appendAdmissionPlugins'] as const).flatMap((list) =>
    (kubeAPIServer[list] ?? []).flatMap((plugin, index) => {
      const path = `spec.kubeAPIServer.${list}[${index}]`;
      if (removed.some((one) => one.plugin === plugin)) {
        return [
          fault(path, `Kubernetes ${kubernetesVersion} no longer has the admission plugin ${plugin}`, 'remove it'),
        ];
      }
      return kubeAPIServer.disableAdmissionPlugins?.includes(plugin) === true
        ? [
            fault(
              path,
              `spec.kubeAPIServer.disableAdmissionPlugins disables ${plugin}`,
              'remove it from one of the lists',
            ),
          ]
        : [];
    }),
  );
}
