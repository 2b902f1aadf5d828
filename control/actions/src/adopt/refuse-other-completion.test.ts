import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { refuseOtherCompletion } from './refuse-other-completion.ts';

const { signal } = new AbortController();
const completed = (spec: ClusterSpec): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.example.com' },
  spec,
});

/** A store with what kops has completed; without it where kops left no such file. */
async function storeOf(spec?: string) {
  const store = createMemoryStore();
  if (spec !== undefined) {
    const bytes = Buffer.from(`kind: Cluster\nspec:\n${spec}`);
    await store.write('demo.example.com/cluster-completed.spec', bytes, { ifAbsent: true });
  }
  return store;
}

test('whom others trust stays the issuer of service accounts', async () => {
  const withIssuer = (serviceAccountIssuer: string) => completed({ kubeAPIServer: { serviceAccountIssuer } });
  const [theirs, ours] = ['https://oidc.s3.us-east-1.amazonaws.com/x', 'https://oidc.s3.eu-west-1.amazonaws.com/x'];
  await refuseOtherCompletion(await storeOf(), withIssuer(ours), signal);
  const store = await storeOf(`  kubeAPIServer:\n    serviceAccountIssuer: ${theirs}\n`);
  await refuseOtherCompletion(store, withIssuer(theirs), signal);
  await expect(refuseOtherCompletion(store, withIssuer(ours), signal)).rejects.toThrow(
    `kops made ${theirs} the issuer of its service accounts`,
  );
});

test('a classic load balancer, which kops makes where the spec names no class, is not exchanged without a word', async () => {
  const withClass = completed({ api: { loadBalancer: { class: 'Network', type: 'Public' } } });
  const store = await storeOf('  api:\n    loadBalancer:\n      class: Classic\n      type: Public\n');
  await expect(refuseOtherCompletion(store, withClass, signal)).rejects.toThrow(
    'kopsctl would put one of class Network in its place',
  );
  const network = await storeOf('  api:\n    loadBalancer:\n      class: Network\n');
  await refuseOtherCompletion(network, withClass, signal);
  // Without a load balancer, and in a cloud whose load balancers have no class.
  await refuseOtherCompletion(store, completed({ api: { dns: {} } }), signal);
});
