import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { RegistryCredentials } from '@kopsctl/model/runtime/registry-credentials.ts';
import { regionOf } from '../region.ts';

/** Its releases are independent of those of Kubernetes. */
const VERSION = '1.31.7';

const REGISTRIES = [
  '*.dkr.ecr.*.amazonaws.com',
  '*.dkr.ecr.*.amazonaws.com.cn',
  '*.dkr.ecr-fips.*.amazonaws.com',
  '*.dkr.ecr.us-iso-east-1.c2s.ic.gov',
];

/** kubelet's access to ECR, with the permissions of the machine's role. */
export function ecrCredentials({ clusterName, spec }: Pick<ClusterFacts, 'clusterName' | 'spec'>): RegistryCredentials {
  const { registryMirrors = {}, useECRCredentialsForMirrors } = spec.containerd ?? {};
  const mirrored = useECRCredentialsForMirrors === true ? Object.keys(registryMirrors).toSorted() : [];
  return {
    name: 'ecr-credential-provider',
    version: VERSION,
    url: (arch) =>
      `https://artifacts.k8s.io/binaries/cloud-provider-aws/v${VERSION}/linux/${arch}/ecr-credential-provider-linux-${arch}`,
    provider: {
      matchImages: [...REGISTRIES, ...mirrored],
      // Credentials of ECR are valid for twelve hours.
      defaultCacheDuration: '12h0m0s',
      args: ['get-credentials'],
      env: [{ name: 'AWS_REGION', value: regionOf(clusterName, spec) }],
    },
  };
}
