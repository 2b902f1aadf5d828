import type { ClusterSpec } from '../cluster.ts';
import { kubernetesFacts, type KubernetesFacts } from '../kubernetes-versions.ts';
import type { Correction } from './rule.ts';

/**
 * Settings of components that kops sets whatever its users write (pkg/model/components/{apiserver,kubecontrollermanager,
 * kubelet}.go): specs that were carried along for years hold values with which a component would not start, or nodes
 * would have no rights.
 */
export const asKopsReplaces: Correction = {
  name: 'kops sets it, whatever is written',
  cluster: (spec) => {
    const facts = kubernetesFacts(spec.kubernetesVersion ?? '');
    return facts === undefined ? spec : { ...spec, ...apiServer(spec, facts), ...outOfTree(spec, facts) };
  },
  instanceGroup: (spec) => spec,
};

function apiServer({ kubeAPIServer, authorization }: ClusterSpec, facts: KubernetesFacts): Partial<ClusterSpec> {
  if (kubeAPIServer === undefined) return {};
  const { enableAdmissionPlugins: plugins = [], appendAdmissionPlugins: more = [] } = kubeAPIServer;
  return {
    kubeAPIServer: {
      ...kubeAPIServer,
      // kops drops what users name here. What they named is kept, and what protects Nodes is never missing.
      enableAdmissionPlugins: [...new Set([...facts.admissionPlugins, ...plugins, ...more])],
      // With RBAC alone kubelets have no rights.
      ...(authorization?.rbac !== undefined && { authorizationMode: 'Node,RBAC' }),
    },
  };
}

/** Kubernetes has no providers of its own any more, and its components end if they are to use one. */
function outOfTree(spec: ClusterSpec, { externalCloudProvider }: KubernetesFacts): Partial<ClusterSpec> {
  if (!externalCloudProvider) return {};
  const outside = <Settings extends { readonly cloudProvider?: string | undefined }>(settings: Settings): Settings =>
    settings.cloudProvider !== undefined && settings.cloudProvider === spec.cloudProvider
      ? { ...settings, cloudProvider: 'external' }
      : settings;
  const { kubeControllerManager, kubelet, masterKubelet } = spec;
  return {
    ...(kubeControllerManager && { kubeControllerManager: outside(kubeControllerManager) }),
    ...(kubelet && { kubelet: outside(kubelet) }),
    ...(masterKubelet && { masterKubelet: outside(masterKubelet) }),
  };
}
