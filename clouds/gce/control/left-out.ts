import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { PERSISTENT_DISK_CLASSES } from './persistent-disk-classes.ts';

/** Settings for GCE that are valid and have no effect. */
export function* leftOutOfGce({ spec }: Cluster): Iterable<Fault> {
  const { networking, cloudConfig: { gcpPDCSIDriver: driver, manageStorageClasses } = {} } = spec;
  if (networking?.gce?.cilium !== undefined) {
    const message = 'Cilium is not installed in addition to the network of GCE';
    yield fault('spec.networking.gce.cilium', message, 'use spec.networking.cilium');
  }
  const wanted =
    driver?.enabled === true && manageStorageClasses !== false ? driver.defaultStorageClassName : undefined;
  if (wanted !== undefined && !PERSISTENT_DISK_CLASSES.some((name) => name === wanted)) {
    yield fault(
      'spec.cloudConfig.gcpPDCSIDriver.defaultStorageClassName',
      'no class with this name is created, so claims that name no class get no volume',
      `create one with the annotation storageclass.kubernetes.io/is-default-class, or use ${PERSISTENT_DISK_CLASSES.join(', ')}`,
    );
  }
}
