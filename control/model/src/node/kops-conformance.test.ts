import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { buildNodePlan } from './node-plan.ts';

const KOPS: Readonly<Record<string, readonly string[]>> = parse(
  readFileSync(new URL('../testdata/kops-1.20-flags.yaml', import.meta.url), 'utf8'),
);

/** In kops each component's keys lie flat in /srv/kubernetes; here in a folder that only its pod mounts. */
const KEYS_APART = 'keys of each component in a folder of its own';
const SIGNERS_APART =
  'serving certificates of kubelets have a CA of their own, and then each signer needs its own flags';
const DELEGATED = 'kops sets it too, in later versions: who may read /metrics is asked of the API';
const QUICK_START = 'at 20 requests a second the controllers of a new cluster wait for each other';
const TLS_ALONE = 'kops leaves the port without TLS open; kube-scheduler closes it only without a file';
const LOCAL = 'local machines have no cloud provider of Kubernetes';
const FIRST_LEASE = 'everybody waits for the first lease when a local cluster starts';

/** Every flag to which we give another value, or which kops lacks or we lack, and why. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kube-apiserver': {
    'apiserver-count': 'API servers find each other by leases in etcd, and the flag changes nothing',
    'api-audiences': 'Kubernetes 1.20 needs an issuer of service account tokens (kops sets these from 1.20 on)',
    'authorization-mode': 'kops completes AlwaysAllow for a spec without authorization; ours is RBAC',
    'cloud-config': LOCAL,
    'cloud-provider': LOCAL,
    'enable-admission-plugins': 'PersistentVolumeLabel serves clouds inside Kubernetes alone',
    'etcd-cafile': KEYS_APART,
    'etcd-certfile': KEYS_APART,
    'etcd-keyfile': KEYS_APART,
    'kubelet-certificate-authority': 'the serving certificates of kubelets have a CA of their own, and are verified',
    'kubelet-client-certificate': KEYS_APART,
    'kubelet-client-key': KEYS_APART,
    'proxy-client-cert-file': KEYS_APART,
    'proxy-client-key-file': KEYS_APART,
    'requestheader-client-ca-file': KEYS_APART,
    'service-account-issuer': 'as api-audiences',
    'service-account-jwks-uri': 'as api-audiences',
    'service-account-key-file': 'the public keys suffice to check a token',
    'service-account-signing-key-file': 'as api-audiences',
    'tls-cert-file': KEYS_APART,
    'tls-private-key-file': KEYS_APART,
  },
  'kube-controller-manager': {
    'authentication-kubeconfig': DELEGATED,
    'authentication-tolerate-lookup-failure': 'it starts beside the API server',
    'authorization-kubeconfig': DELEGATED,
    'kube-api-burst': QUICK_START,
    'kube-api-qps': QUICK_START,
    'tls-cert-file': DELEGATED,
    'tls-private-key-file': DELEGATED,
    'allocate-node-cidrs': 'protokube gives out the pod networks of local machines, without a wait of ten seconds',
    'cloud-config': LOCAL,
    'cloud-provider': LOCAL,
    'cluster-name': 'another cluster',
    'cluster-signing-cert-file': SIGNERS_APART,
    'cluster-signing-key-file': SIGNERS_APART,
    'cluster-signing-kube-apiserver-client-cert-file': SIGNERS_APART,
    'cluster-signing-kube-apiserver-client-key-file': SIGNERS_APART,
    'cluster-signing-kubelet-client-cert-file': SIGNERS_APART,
    'cluster-signing-kubelet-client-key-file': SIGNERS_APART,
    'cluster-signing-kubelet-serving-cert-file': SIGNERS_APART,
    'cluster-signing-kubelet-serving-key-file': SIGNERS_APART,
    'cluster-signing-legacy-unknown-cert-file': SIGNERS_APART,
    'cluster-signing-legacy-unknown-key-file': SIGNERS_APART,
    'configure-cloud-routes': 'protokube keeps the routes of local machines',
    'leader-elect-retry-period': FIRST_LEASE,
    port: TLS_ALONE,
    'service-account-private-key-file': KEYS_APART,
  },
  'kube-scheduler': {
    'authentication-kubeconfig': DELEGATED,
    'authorization-kubeconfig': DELEGATED,
    config: TLS_ALONE,
    kubeconfig: TLS_ALONE,
    'leader-elect-retry-period': FIRST_LEASE,
    port: TLS_ALONE,
    'tls-cert-file': DELEGATED,
    'tls-private-key-file': DELEGATED,
  },
  'kube-proxy': {
    'bind-address': 'the address is a fact of the node, so kube-proxy starts before its node is registered',
    'conntrack-max-per-core': 'local machines share the connection table of their host',
    'hostname-override': 'kops nodeup asks the cloud; here it is a fact of the node',
    kubeconfig: 'kube-proxy speaks as its node',
    master: 'the kubeconfig says it',
  },
};

function flagsByName(args: readonly string[]): ReadonlyMap<string, string> {
  return new Map(args.map((arg) => [arg.slice(2).split('=')[0] ?? '', arg]));
}

function ourArgs(component: string): readonly string[] {
  const { cluster, instanceGroups } = completedCluster();
  const [instanceGroup] = instanceGroups;
  if (instanceGroup === undefined) return [];
  const plan = buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'memory://' }, ASSETS, [
    'http://assets',
  ]);
  const manifest = plan.tasks.find(({ name }) => name === `etc/kubernetes/manifests/${component}.manifest`);
  const { text } = { text: '', ...Object(manifest?.props['content']) };
  return parse(text).spec.containers[0].args;
}

it.each(Object.keys(DIFFERENCES))('%s differs from kops 1.20 only where it is meant to', (component) => {
  const [kops, ours] = [flagsByName(KOPS[component] ?? []), flagsByName(ourArgs(component))];
  const names = [...new Set([...kops.keys(), ...ours.keys()])].sort();
  const different = names.filter((name) => kops.get(name) !== ours.get(name));
  expect(different).toEqual(Object.keys(DIFFERENCES[component] ?? {}).sort());
});
