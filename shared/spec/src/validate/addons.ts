import type { CloudFeature, SpecCloud } from '../cloud.ts';
import type { Cluster, ClusterSpec } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

/** The schemes of channels that control-plane machines can read. */
const SCHEMES = ['s3', 'gs', 'https', 'file'];

/** Rejects addons that this suite cannot install or that would not work. */
export function* validateAddons({ metadata, spec }: Cluster, cloud: SpecCloud): Iterable<Fault> {
  yield* validateChannels(spec);
  yield* validateCertificates(spec);
  yield* validateExternalDns(spec, cloud, metadata.name);
  yield* validateFeatures(spec, cloud);
}

function* validateChannels({ addons = [] }: ClusterSpec): Iterable<Fault> {
  const seen = new Set<string>();
  for (const [index, { manifest = '' }] of addons.entries()) {
    const path = `spec.addons[${index}].manifest`;
    const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//.exec(manifest) ?? [];
    if (manifest === '') yield fault(path, 'must be set', 'the location of a channel (kind: Addons)');
    else if (scheme !== undefined && !SCHEMES.includes(scheme)) {
      const how =
        scheme === 'http' ? 'a channel says what runs in the cluster: use https' : `one of ${SCHEMES.join(', ')}`;
      yield fault(path, `${scheme}:// is not supported`, how);
    } else if (scheme === undefined && (!manifest.includes('/') || manifest.startsWith('/'))) {
      yield fault(
        path,
        `'${manifest}' is not the location of a channel`,
        "write a URL, or a path in the cluster's folder of the state store, such as addons/mine.yaml",
      );
    }
    if (seen.has(manifest)) yield fault(path, `${manifest} is listed twice`);
    seen.add(manifest);
  }
}

/** cert-manager issues the certificates of addons that serve HTTPS inside the cluster. */
function* validateCertificates(spec: ClusterSpec): Iterable<Fault> {
  if (spec.certManager?.enabled === true) return;
  const needing = [
    ...(spec.awsLoadBalancerController?.enabled === true ? ['awsLoadBalancerController.enabled'] : []),
    ...(spec.metricsServer?.enabled === true && spec.metricsServer.insecure === false
      ? ['metricsServer.insecure']
      : []),
    ...(spec.podIdentityWebhook?.enabled === true ? ['podIdentityWebhook.enabled'] : []),
  ];
  for (const field of needing) {
    yield fault(
      `spec.${field}`,
      'needs certificates, which cert-manager makes',
      'set spec.certManager.enabled: true (and managed: false if you install your own)',
    );
  }
}

/** kops pkg/apis/kops/validation/validation.go, validateExternalDNS. */
function* validateExternalDns(
  { externalDns = {}, topology }: ClusterSpec,
  { features }: SpecCloud,
  clusterName: string,
): Iterable<Fault> {
  const { provider, watchNamespace = '' } = externalDns;
  if (watchNamespace !== '' && watchNamespace !== 'kube-system') {
    const message = `only '${watchNamespace}' would be watched, but the objects with the names of the API are in kube-system`;
    yield fault('spec.externalDns.watchNamespace', message, 'write kube-system, or leave it out to watch all');
  }
  const type = topology?.dns?.type ?? '';
  const hasNoZone = type === 'None' || type === 'Gossip' || clusterName.endsWith('.k8s.local');
  if (provider === 'external-dns' && hasNoZone && features.includes('external-dns')) {
    yield fault(
      'spec.externalDns.provider',
      'the cluster has no DNS zone that external-dns could write',
      'leave it out',
    );
  }
}

/** Rejects addons that the cloud does not support. */
function* validateFeatures(spec: ClusterSpec, { name, features }: SpecCloud): Iterable<Fault> {
  const wished: readonly (readonly [path: string, isWished: boolean | undefined, feature: CloudFeature])[] = [
    ['spec.cloudConfig.gcpPDCSIDriver', spec.cloudConfig?.gcpPDCSIDriver?.enabled, 'persistent disk driver'],
    ['spec.awsLoadBalancerController', spec.awsLoadBalancerController?.enabled, 'load balancer controller'],
    ['spec.nodeTerminationHandler', spec.nodeTerminationHandler?.enabled, 'node termination handler'],
    ['spec.podIdentityWebhook', spec.podIdentityWebhook?.enabled, 'pod identity webhook'],
  ];
  for (const [path, isWished, feature] of wished) {
    if (isWished === true && !features.includes(feature)) {
      yield fault(`${path}.enabled`, `there is no ${feature} for cloudProvider ${name}`, 'leave it out');
    }
  }
}
