import type { ClusterSpec, KubeletConfig } from '../cluster.ts';
import { kubernetesFacts, type KubernetesFacts } from '../kubernetes-versions.ts';
import { parseDurationMs } from '../duration.ts';
import { isControlPlane } from '../names.ts';
import { apiServerAddresses } from './api-server-addresses.ts';
import type { Correction } from './rule.ts';

/**
 * Settings of components that kops sets whatever its users write (pkg/model/components/{apiserver,kubecontrollermanager,
 * kubelet}.go): specs that were carried along for years hold values with which a component would not start, or nodes
 * would have no rights.
 */
export const asKopsReplaces: Correction = {
  name: 'kops sets it, whatever the spec says',
  cluster: (spec) => {
    const facts = kubernetesFacts(spec.kubernetesVersion ?? '');
    if (facts === undefined) return spec;
    return [apiServer, outOfTree, gracePeriods].reduce((before, of) => ({ ...before, ...of(before, facts) }), spec);
  },
  instanceGroup: (spec, cluster) => {
    const { shutdownGracePeriod: all, shutdownGracePeriodCriticalPods: critical } = spec.kubelet ?? {};
    if (all === undefined && critical === undefined) return spec;
    const ofRole = isControlPlane({ spec }) ? cluster.masterKubelet : cluster.kubelet;
    const { shutdownGracePeriod, shutdownGracePeriodCriticalPods } = fitting({
      ...(ofRole?.shutdownGracePeriod !== undefined && { shutdownGracePeriod: ofRole.shutdownGracePeriod }),
      ...(ofRole?.shutdownGracePeriodCriticalPods !== undefined && {
        shutdownGracePeriodCriticalPods: ofRole.shutdownGracePeriodCriticalPods,
      }),
      ...spec.kubelet,
    });
    return {
      ...spec,
      kubelet: {
        ...spec.kubelet,
        ...(shutdownGracePeriod !== undefined && { shutdownGracePeriod }),
        ...(shutdownGracePeriodCriticalPods !== undefined && { shutdownGracePeriodCriticalPods }),
      },
    };
  },
};

function apiServer(spec: ClusterSpec, facts: KubernetesFacts): Partial<ClusterSpec> {
  const { kubeAPIServer, authorization } = spec;
  if (kubeAPIServer === undefined) return {};
  // Without etcd for events there are no overrides.
  const { etcdServers: _, etcdServersOverrides: __, ...settings } = kubeAPIServer;
  const { enableAdmissionPlugins: plugins = [], appendAdmissionPlugins: more = [] } = kubeAPIServer;
  const unwanted = new Set([
    ...(kubeAPIServer.disableAdmissionPlugins ?? []),
    ...facts.removedAdmissionPlugins.map(({ plugin }) => plugin),
  ]);
  return {
    kubeAPIServer: {
      ...settings,
      ...apiServerAddresses(spec),
      // kops drops what users name here. What they named is kept, beside what protects Nodes.
      enableAdmissionPlugins: [...new Set([...facts.admissionPlugins, ...plugins, ...more])].filter(
        (plugin) => !unwanted.has(plugin),
      ),
      // With RBAC alone kubelets have no rights.
      ...(authorization?.rbac !== undefined && { authorizationMode: 'Node,RBAC' }),
    },
  };
}

/** Kubernetes no longer has providers of its own, and its components exit if they are told to use one. */
function outOfTree(spec: ClusterSpec, { externalCloudProvider }: KubernetesFacts): Partial<ClusterSpec> {
  if (!externalCloudProvider) return {};
  const outside = <Settings extends { readonly cloudProvider?: string | undefined }>(settings: Settings): Settings =>
    settings.cloudProvider !== undefined && settings.cloudProvider === spec.cloudProvider
      ? { ...settings, cloudProvider: 'external' }
      : settings;
  const { kubeAPIServer, kubeControllerManager, kubelet, masterKubelet } = spec;
  return {
    ...(kubeAPIServer && { kubeAPIServer: outside(kubeAPIServer) }),
    ...(kubeControllerManager && { kubeControllerManager: outside(kubeControllerManager) }),
    ...(kubelet && { kubelet: outside(kubelet) }),
    ...(masterKubelet && { masterKubelet: outside(masterKubelet) }),
  };
}

const gracePeriods = (spec: ClusterSpec): Partial<ClusterSpec> => ({
  ...(spec.kubelet && { kubelet: fitting(spec.kubelet) }),
  ...(spec.masterKubelet && { masterKubelet: fitting(spec.masterKubelet) }),
});

/** kubelet does not start where its critical pods have more time to end than all of its pods. */
function fitting(settings: KubeletConfig): KubeletConfig {
  const { shutdownGracePeriod: all, shutdownGracePeriodCriticalPods: critical } = settings;
  if (all === undefined) return settings;
  const isLonger = critical !== undefined && (parseDurationMs(critical) ?? 0) > (parseDurationMs(all) ?? 0);
  return isLonger ? { ...settings, shutdownGracePeriodCriticalPods: all } : settings;
}
