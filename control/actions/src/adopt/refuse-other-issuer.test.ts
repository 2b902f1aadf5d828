import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { refuseOtherIssuer } from './refuse-other-issuer.ts';

const { signal } = new AbortController();
const withIssuer = (serviceAccountIssuer: string): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.example.com' },
  spec: { kubeAPIServer: { serviceAccountIssuer } },
});

test('whom others trust stays the issuer of service accounts', async () => {
  const store = createMemoryStore();
  const [theirs, ours] = ['https://oidc.s3.us-east-1.amazonaws.com/x', 'https://oidc.s3.eu-west-1.amazonaws.com/x'];
  // A cluster of which kops left no such file.
  await refuseOtherIssuer(store, withIssuer(ours), signal);
  const text = `kind: Cluster\nspec:\n  kubeAPIServer:\n    serviceAccountIssuer: ${theirs}\n`;
  await store.write('demo.example.com/cluster-completed.spec', Buffer.from(text), { ifAbsent: true });
  await refuseOtherIssuer(store, withIssuer(theirs), signal);
  await expect(refuseOtherIssuer(store, withIssuer(ours), signal)).rejects.toThrow(
    `kops made ${theirs} the issuer of its service accounts`,
  );
});
