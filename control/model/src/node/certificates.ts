import { CILIUM_ETCD_CLIENT } from '@kopsctl/node-plan/cilium-etcd.ts';
import type { Ref, Task, TaskId } from '@kopsctl/tasks/task.ts';
import { CILIUM_ETCD, etcdClientsCa } from '../etcd-clusters.ts';
import type { NodeContext } from './node-context.ts';
import { fileName, nodeTask } from './node-task.ts';
import { API_SERVER_DIR, CA_FILE, CONTROLLER_MANAGER_PKI_DIR, KUBELET_AUTHORITIES, KUBELET_SERVER } from './paths.ts';

/** kops issues for 455 days (kops nodeup/pkg/model/context.go); ours are renewed in place well before. */
const VALIDITY_DAYS = 455;

export const KUBERNETES_CA = 'kubernetes-ca';
/**
 * Signs the certificates with which kubelets prove themselves to their callers, and nothing else. It is a CA of its own, so that
 * none of these certificates is good for anything that requires the CA of the cluster
 * (docs/decisions/0013-kubelets-have-a-ca-of-their-own.md).
 */
export const KUBELET_SERVING_CA = 'kubelet-serving-ca';
/**
 * A CA of its own, because workers hold certificates of the others: machines take the holder of one of its own for an authority.
 */
export const NODE_AUTHORITY_CA = 'node-authority-ca';
export const AGGREGATOR_CA = 'apiserver-aggregator-ca';
export const SERVICE_ACCOUNT_KEYSET = 'service-account';

interface ClientCertificate {
  readonly name: string;
  /** Without .crt and .key. */
  readonly basePath: string;
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly signer?: string;
  readonly owner?: string;
  readonly after?: readonly Ref[];
}

export function certificateId(name: string): TaskId {
  return `Certificate/${name}`;
}

export function clientCertificate(options: ClientCertificate): Task {
  const { name, basePath, commonName, organizations, ipAddresses, signer = KUBERNETES_CA, owner, after } = options;
  return nodeTask('Certificate', name, {
    ...pairAt(basePath),
    signer,
    commonName,
    ...(organizations && { organizations }),
    ...(ipAddresses && { ipAddresses }),
    usages: ['client'],
    validityDays: VALIDITY_DAYS,
    ...(owner !== undefined && { owner }),
    ...(after !== undefined && { after }),
  });
}

interface ServerCertificate {
  readonly name: string;
  readonly certificatePath: string;
  readonly keyPath: string;
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly signer?: string;
  readonly owner?: string;
  readonly after?: readonly Ref[];
}

/** The certificate with which a component proves itself to its callers. */
export function serverCertificate({ name, signer = KUBERNETES_CA, ...props }: ServerCertificate): Task {
  return nodeTask('Certificate', name, { ...props, signer, usages: ['server'], validityDays: VALIDITY_DAYS });
}

const pairAt = (basePath: string) => ({ certificatePath: `${basePath}.crt`, keyPath: `${basePath}.key` });

/** The task of a component's serving certificate, apart from that of the certificate by which it calls others. */
export const servingName = (component: string): string => `${component}-server`;

/** The serving certificate of a controller of the control plane, as `server.crt` and `server.key` in a folder. */
export const controllerServing = (node: NodeContext, component: string, dir: string): Task =>
  serverCertificate({
    name: servingName(component),
    ...pairAt(`${dir}/server`),
    commonName: component,
    // kops's name, and those by which it is reached: it is in the host's network.
    dnsNames: [`${component}.kube-system.svc.${node.clusterDomain}`, 'localhost'],
    ipAddresses: ['127.0.0.1', '@{address}'],
  });

/** The serving certificate of a kubelet where the key of the CA is at hand. */
export const kubeletServing = (): Task =>
  serverCertificate({
    name: servingName('kubelet'),
    ...pairAt(KUBELET_SERVER),
    signer: KUBELET_SERVING_CA,
    commonName: '@{nodeName}',
    dnsNames: ['@{nodeName}'],
    ipAddresses: ['@{address}'],
  });

/** The certificate with which an authority of nodes proves itself to the machines that it calls. */
export const authorityServing = (
  name: string,
  basePath: string,
  placed: { readonly owner: string; readonly after: readonly Ref[] },
): Task =>
  serverCertificate({
    name: servingName('node-authority'),
    ...pairAt(basePath),
    commonName: name,
    dnsNames: [name],
    ipAddresses: [],
    signer: NODE_AUTHORITY_CA,
    ...placed,
  });

/** The CA certificates that every node trusts. */
export function trustedCa(): readonly Task[] {
  return [keysetFile(CA_FILE, KUBERNETES_CA, 'certificates')];
}

/** What an API server proves itself with, and what it trusts. */
export function apiServerCertificates(node: NodeContext): readonly Task[] {
  return [
    serverCertificate({
      name: 'kube-apiserver',
      ...pairAt(`${API_SERVER_DIR}/server`),
      commonName: 'kubernetes-master',
      dnsNames: apiServerNames(node),
      ipAddresses: [node.kubernetesServiceAddress, '127.0.0.1', '@{address}'],
    }),
    clientCertificate({ name: 'kubelet-api', basePath: `${API_SERVER_DIR}/kubelet-api`, commonName: 'kubelet-api' }),
    clientCertificate({
      name: 'apiserver-aggregator',
      basePath: `${API_SERVER_DIR}/apiserver-aggregator`,
      commonName: 'aggregator',
      signer: AGGREGATOR_CA,
    }),
    clientCertificate({
      name: 'etcd-client',
      basePath: `${API_SERVER_DIR}/etcd-client`,
      commonName: 'kube-apiserver',
      signer: 'etcd-clients-ca',
    }),
    keysetFile(KUBELET_AUTHORITIES, KUBELET_SERVING_CA, 'certificates'),
    keysetFile(`${API_SERVER_DIR}/apiserver-aggregator-ca.crt`, AGGREGATOR_CA, 'certificates'),
    keysetFile(`${API_SERVER_DIR}/etcd-ca.crt`, 'etcd-clients-ca', 'certificates'),
    keysetFile(`${API_SERVER_DIR}/service-account.pub`, SERVICE_ACCOUNT_KEYSET, 'publicKeys'),
    keysetFile(`${API_SERVER_DIR}/service-account.key`, SERVICE_ACCOUNT_KEYSET, 'privateKey'),
  ];
}

/** What Cilium's agents prove themselves with to the etcd that is theirs alone. */
export const ciliumEtcdClient = ({ etcdClusters }: Pick<NodeContext, 'etcdClusters'>): readonly Task[] =>
  etcdClusters.some(({ name }) => name === CILIUM_ETCD)
    ? [
        clientCertificate({
          name: 'etcd-client-cilium',
          basePath: CILIUM_ETCD_CLIENT,
          commonName: 'cilium',
          signer: etcdClientsCa(CILIUM_ETCD),
        }),
      ]
    : [];

/** What the controller manager signs with. */
export function controllerManagerKeys(): readonly Task[] {
  return [
    // The signers of certificate requests: exactly one certificate each, the one that belongs to the key.
    keysetFile(`${CONTROLLER_MANAGER_PKI_DIR}/ca.crt`, KUBERNETES_CA, 'certificate'),
    keysetFile(`${CONTROLLER_MANAGER_PKI_DIR}/ca.key`, KUBERNETES_CA, 'privateKey'),
    keysetFile(`${CONTROLLER_MANAGER_PKI_DIR}/kubelet-serving-ca.crt`, KUBELET_SERVING_CA, 'certificate'),
    keysetFile(`${CONTROLLER_MANAGER_PKI_DIR}/kubelet-serving-ca.key`, KUBELET_SERVING_CA, 'privateKey'),
    keysetFile(`${CONTROLLER_MANAGER_PKI_DIR}/service-account.key`, SERVICE_ACCOUNT_KEYSET, 'privateKey'),
  ];
}

/** Every name under which clients reach the API server (kops nodeup/pkg/model/secrets.go). */
function apiServerNames(node: NodeContext): readonly string[] {
  const names = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    `kubernetes.default.svc.${node.clusterDomain}`,
    node.apiPublicName,
    node.apiInternalName,
    'localhost',
    ...(node.spec.additionalSans ?? []),
  ];
  return [...new Set(names)];
}

function keysetFile(
  path: string,
  keyset: string,
  part: 'certificates' | 'certificate' | 'privateKey' | 'publicKeys',
): Task {
  const isPrivate = part === 'privateKey';
  return nodeTask('File', fileName(path), {
    path,
    content: { keyset, part },
    mode: isPrivate ? '0600' : '0644',
    ...(isPrivate ? { sensitive: true } : {}),
  });
}
