import { LOCAL_PATH_IMAGE } from '@kopsctl/clouds/local/control/addons/local-path.ts';
import { FLANNEL_IMAGE, FLANNEL_PLUGIN_IMAGE } from '@kopsctl/model/addons/networking/flannel.ts';
import { snapshotControllerImage } from '@kopsctl/model/addons/snapshot-controller.ts';
import { parseImage } from '@kopsctl/spec/image-reference.ts';
import {
  etcdBefore,
  kubernetesFacts,
  type KubernetesFacts,
  OLDEST_KUBERNETES,
  RECOMMENDED_KUBERNETES,
} from '@kopsctl/spec/kubernetes-versions.ts';

/** What this suite knows of a version of Kubernetes. */
export function factsOf(version: string): KubernetesFacts {
  const facts = kubernetesFacts(version);
  if (facts === undefined) throw new Error(`no facts of Kubernetes ${version}`);
  return facts;
}

/** A tag has a v before the version. */
export const bare = (version: string): string => version.replace(/^v/, '');

function versionOf(image: string): string {
  const { tag } = parseImage(image);
  if (tag === undefined) throw new Error(`${image} has no tag`);
  return bare(tag);
}

const newest = factsOf(RECOMMENDED_KUBERNETES);
const before = etcdBefore(newest.etcdVersion);
if (before === undefined) throw new Error(`no etcd before ${newest.etcdVersion}`);

/** What clusters of the recommended Kubernetes ask for, and the etcd of those before it. */
export const WANTED = {
  containerd: newest.containerdVersion,
  runc: newest.runcVersion,
  cni: newest.cniPluginsVersion,
  etcd: newest.etcdVersion,
  etcdBefore: before,
  coredns: bare(newest.coreDnsVersion),
  metricsServer: bare(newest.metricsServerVersion),
  snapshotController: versionOf(snapshotControllerImage(RECOMMENDED_KUBERNETES)),
  localPath: versionOf(LOCAL_PATH_IMAGE),
  flannel: versionOf(FLANNEL_IMAGE),
  flannelPlugin: versionOf(FLANNEL_PLUGIN_IMAGE),
};

const oldest = factsOf(OLDEST_KUBERNETES);

/** The CoreDNS of a Kubernetes that newer ones do not work with. */
export const OLDEST_COREDNS = bare(oldest.coreDnsVersion);

/** The etcd of the oldest Kubernetes, which no module publishes. */
export const OLDEST_ETCD = oldest.etcdVersion;
