import type { Cluster } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

/** Rejects options of kops that this suite does not support, instead of ignoring them. */
export function* validateSupport({ spec: { assets, etcdClusters = [] } }: Cluster): Iterable<Fault> {
  if (assets?.containerProxy !== undefined && assets.containerRegistry !== undefined) {
    const hint =
      'set containerRegistry for a registry that has all images, or containerProxy for one that passes them on';
    yield fault('spec.assets.containerProxy', 'spec.assets.containerRegistry is set too', hint);
  }
  const { fileRepository = '' } = assets ?? {};
  const repository = URL.parse(fileRepository);
  if (fileRepository !== '' && !/^https?:$/.test(repository?.protocol ?? '')) {
    const hint = 'write the URL from which machines download, such as https://files.example.com';
    yield fault('spec.assets.fileRepository', `'${fileRepository}' is not an http or https URL`, hint);
  }
  for (const [index, etcd] of etcdClusters.entries()) {
    const path = `spec.etcdClusters[${index}]`;
    if (etcd.provider !== undefined && etcd.provider !== 'Manager') {
      yield fault(
        `${path}.provider`,
        `'${etcd.provider}' is not supported`,
        'etcd is always run by etcd-manager: write Manager',
      );
    }
    for (const field of ['enableEtcdTLS', 'enableTLSAuth'] as const) {
      if (etcd[field] === false) yield fault(`${path}.${field}`, 'etcd cannot be run without TLS', 'remove this field');
    }
  }
}
