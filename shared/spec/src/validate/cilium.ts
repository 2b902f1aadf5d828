import semver from 'semver';
import type { CiliumNetworking, ClusterSpec } from '../cluster.ts';
import { isIpv6Alone } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/** The minors of Cilium 1 that the addon is made for: the defaults of the versions of Kubernetes. */
const MINORS = { oldest: 14, newest: 18 };

/** Clusters of a mesh have a byte of each identity (Cilium's cluster-id). */
const LAST_CLUSTER = 255;

/** Settings of Cilium that do not go with each other, or with the cluster (kops pkg/apis/kops/validation/validation.go). */
export function* validateCilium(spec: ClusterSpec): Iterable<Fault> {
  const cilium = spec.networking?.cilium;
  if (cilium === undefined) return;
  for (const [field, message, hint] of [
    ...versionFaults(cilium),
    ...requirements(cilium, spec),
    ...conflicts(cilium, spec),
  ]) {
    yield fault(`spec.networking.cilium.${field}`, message, hint);
  }
}

/** A field below `spec.networking.cilium`, what is wrong with it, and what to do. */
type CiliumFault = readonly [field: string, message: string, hint: string];

function* versionFaults({ version = '' }: CiliumNetworking): Iterable<CiliumFault> {
  if (version === '') return;
  const parsed = version.startsWith('v') ? semver.parse(version.slice(1)) : null;
  if (parsed === null) {
    yield ['version', `'${version}' is not a version of Cilium`, 'a v first, then three numbers, such as v1.18.12'];
  } else if (parsed.major !== 1 || parsed.minor < MINORS.oldest || parsed.minor > MINORS.newest) {
    yield [
      'version',
      `the addon is not made for Cilium ${version}`,
      `use one of 1.${MINORS.oldest} to 1.${MINORS.newest}, or leave it out`,
    ];
  }
}

/** What needs another setting. */
function* requirements(cilium: CiliumNetworking, spec: ClusterSpec): Iterable<CiliumFault> {
  const { etcdClusters } = spec;
  const { clusterID = 0 } = cilium;
  if (clusterID < 0 || clusterID > LAST_CLUSTER) {
    yield ['clusterID', `${clusterID} is not the number of a cluster in a mesh`, `from 1 to ${LAST_CLUSTER}`];
  }
  if (cilium.hubble?.enabled === true && spec.certManager?.enabled !== true) {
    yield ['hubble.enabled', 'needs certificates, which cert-manager makes', 'set spec.certManager.enabled: true'];
  }
  if (cilium.enableNodePort === true && spec.kubeProxy?.enabled !== false) {
    yield ['enableNodePort', 'it replaces kube-proxy, which is still enabled', 'set spec.kubeProxy.enabled: false'];
  }
  if (cilium.bpfLBSockHostNSOnly === true && cilium.bpfLBSock !== true) {
    yield ['bpfLBSockHostNSOnly', 'limits bpfLBSock, which is off', 'set bpfLBSock: true, or remove this field'];
  }
  if ((cilium.encryptionType ?? '') !== '' && cilium.enableEncryption !== true) {
    yield ['encryptionType', 'nothing is encrypted', 'set enableEncryption: true, or remove this field'];
  }
  if (cilium.identityAllocationMode === 'kvstore' && cilium.etcdManaged !== true) {
    yield ['identityAllocationMode', 'kvstore is an etcd, and Cilium has none', 'write crd, or leave it out'];
  }
  if (
    cilium.etcdManaged === true &&
    etcdClusters !== undefined &&
    !etcdClusters.some(({ name }) => name === 'cilium')
  ) {
    const hint =
      'add one to spec.etcdClusters, with the members of main, or leave it out: Cilium keeps its state in the API';
    yield ['etcdManaged', "there is no etcd cluster called 'cilium'", hint];
  }
}

/** What excludes another setting. */
function* conflicts(cilium: CiliumNetworking, spec: ClusterSpec): Iterable<CiliumFault> {
  if (cilium.IPTablesRulesNoinstall === true && cilium.enableL7Proxy !== false) {
    yield [
      'IPTablesRulesNoinstall',
      'the proxy for policies of layer 7 gets its packets by these rules',
      'set enableL7Proxy: false, or remove this field',
    ];
  }
  if (cilium.enableEncryption === true && isIpv6Alone(spec)) {
    yield ['enableEncryption', 'pods that have only IPv6 are not encrypted', 'remove this field'];
  }
  if (cilium.ipam === 'eni' && isIpv6Alone(spec)) {
    yield ['ipam', 'eni gives pods IPv4 addresses of the VPC, and this cluster has only IPv6', 'write kubernetes'];
  }
  const mode = cilium.ingress?.enabled === true ? (cilium.ingress.defaultLoadBalancerMode ?? '') : '';
  if (!['', 'shared', 'dedicated'].includes(mode)) {
    yield [
      'ingress.defaultLoadBalancerMode',
      `expected one of shared, dedicated, found '${mode}'`,
      'shared is one load balancer for all Ingresses',
    ];
  }
}
