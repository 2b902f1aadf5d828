import type { ClusterSpec, ContainerdConfig } from '@kopsctl/spec/cluster.ts';
import type { KubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import type { Asset, AssetCatalog } from './asset-catalog.ts';

/*
 * The programs that run containers. The prepared assets may hold several versions of each, and not the one that the spec
 * names.
 */

/**
 * Without a version in the spec, the one that this version of Kubernetes is used with. Another one takes its place only if
 * kubelet can drive it.
 */
export const containerdAsset = (
  assets: AssetCatalog,
  { version }: ContainerdConfig,
  { containerdVersion, containerdRange }: KubernetesFacts,
): Asset => assets.prefer('containerd', version ?? containerdVersion, containerdRange);

export const runcAsset = (assets: AssetCatalog, { runc }: ContainerdConfig): Asset =>
  assets.prefer('runc', runc?.version);

export const dockerAsset = (assets: AssetCatalog, { docker }: ClusterSpec): Asset =>
  assets.prefer('docker', docker?.version);
