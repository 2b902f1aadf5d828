/**
 * What registries must give for an image, by its name. The log names the digest of an image that is not here when it is
 * pulled first; from then on its tag must keep it (taken-before.ts). From the promotions of registry.k8s.io (kubernetes/k8s.io ecf019a, registry.k8s.io/images/k8s-staging-*).
 */
const DIGESTS: Readonly<Record<string, string>> = {
  'registry.k8s.io/coredns/coredns:v1.10.1': 'sha256:a0ead06651cf580044aeb0a0feba63591858fb2e43ade8c9dea45a6a89ae7e5e',
  'registry.k8s.io/pause:3.10.1': 'sha256:278fb9dbcca9518083ad1e11276933a2e96f23de604a3a08cc3c80002767d24c',
};

export const digestOfImage = (reference: string): string | undefined => DIGESTS[reference];
