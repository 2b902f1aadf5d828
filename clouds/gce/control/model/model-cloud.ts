import { addonIf, type Addon } from '@kopsctl/model/addons/addon.ts';
import { usesExternalDns } from '@kopsctl/model/addons/external-dns-defaults.ts';
import type { ModelCloud } from '@kopsctl/model/cluster-facts.ts';
import type { RegistryCredentials } from '@kopsctl/model/runtime/registry-credentials.ts';
import { gceCloudControllerObjects } from '../addons/cloud-controller.ts';
import { gceAutoscalerObjects } from '../addons/cluster-autoscaler.ts';
import { gceExternalDnsObjects } from '../addons/external-dns.ts';
import { pdCsiObjects } from '../addons/pd-csi.ts';
import { API_HEALTH, hasExternalBalancer } from '../api-health.ts';
import { machineEmail } from './service-accounts.ts';
import { hasPrivateZone } from '../private-zone.ts';
import { GCE_TRAITS } from '../traits.ts';
import { gceStorageObjects, usesPersistentDiskDriver } from '../addons/storage-classes.ts';

/** Its releases are independent of those of Kubernetes. */
const CREDENTIALS_VERSION = '35.0.0';

/** kubelet's access to Google's registries, with the service account of the machine. */
const registryCredentials = (): RegistryCredentials => ({
  name: 'gcp-credential-provider',
  version: CREDENTIALS_VERSION,
  url: (arch) =>
    `https://artifacts.k8s.io/binaries/cloud-provider-gcp/v${CREDENTIALS_VERSION}/auth-provider-gcp/linux/${arch}/auth-provider-gcp`,
  provider: {
    matchImages: ['gcr.io', '*.gcr.io', 'container.cloud.google.com', '*.pkg.dev'],
    defaultCacheDuration: '1m0s',
    args: ['get-credentials', '--v=3'],
  },
});

/** What the builders of every cluster need to know about GCE. */
export const gceModelCloud: ModelCloud = {
  name: 'gce',
  traits: GCE_TRAITS,
  principalOf: machineEmail,
  zoneProvider: ({ spec }) => ({
    name: 'CloudDNS',
    ...(spec.project && { project: spec.project }),
    isPrivate: hasPrivateZone(spec),
  }),
  registryCredentials,
  apiHealthPort: (facts) => (hasExternalBalancer(facts) ? API_HEALTH.port : undefined),
  timeServer: 'time.google.com',
  // Machines with only IPv6 addresses reach it by the second one.
  metadata: { ipv4: '169.254.169.254', ipv6: 'fd20:ce::254', name: 'metadata.google.internal', hasDns: true },
  addons: {
    controller: (facts) =>
      addonIf(facts.spec.cloudControllerManager !== undefined, 'gcp-cloud-controller.addons.k8s.io', 'k8s-1.23', () =>
        gceCloudControllerObjects(facts),
      ),
    storage: (facts): readonly Addon[] => [
      ...addonIf(usesPersistentDiskDriver(facts), 'gcp-pd-csi-driver.addons.k8s.io', 'k8s-1.23', () =>
        pdCsiObjects(facts),
      ),
      ...addonIf(facts.spec.cloudConfig?.manageStorageClasses, 'storage-gce.addons.k8s.io', 'v1.7.0', () =>
        gceStorageObjects(facts),
      ),
    ],
    others: (facts, groups): readonly Addon[] => [
      ...addonIf(usesExternalDns(facts.spec), 'external-dns.addons.k8s.io', 'k8s-1.19', () =>
        gceExternalDnsObjects(facts),
      ),
      ...addonIf(facts.spec.clusterAutoscaler?.enabled, 'cluster-autoscaler.addons.k8s.io', 'k8s-1.15', () =>
        gceAutoscalerObjects(facts, groups),
      ),
    ],
  },
};
