import type { Cluster, ClusterSpec } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

/** Where control-plane machines can read a channel from. */
const SCHEMES = ['s3', 'gs', 'https', 'file'];

/** Addons that a person turns on and this suite could not install, or could not make work. */
export function* validateAddons({ spec }: Cluster): Iterable<Fault> {
  yield* validateChannels(spec);
  yield* validateCertificates(spec);
  yield* validateNotMade(spec);
}

function* validateChannels({ addons = [] }: ClusterSpec): Iterable<Fault> {
  const seen = new Set<string>();
  for (const [index, { manifest = '' }] of addons.entries()) {
    const path = `spec.addons[${index}].manifest`;
    const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//.exec(manifest) ?? [];
    if (manifest === '') yield fault(path, 'must be set', 'the place of a channel (kind: Addons)');
    else if (scheme !== undefined && !SCHEMES.includes(scheme)) {
      const how =
        scheme === 'http' ? 'a channel says what runs in the cluster: use https' : `one of ${SCHEMES.join(', ')}`;
      yield fault(path, `${scheme}:// is not read`, how);
    } else if (scheme === undefined && (!manifest.includes('/') || manifest.startsWith('/'))) {
      yield fault(
        path,
        `'${manifest}' is no place of a channel`,
        "write a URL, or a path in the cluster's folder of the state store, such as addons/mine.yaml",
      );
    }
    if (seen.has(manifest)) yield fault(path, `${manifest} stands there twice`);
    seen.add(manifest);
  }
}

/** What is served by HTTPS inside the cluster gets its certificates from cert-manager. */
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
      'set spec.certManager.enabled: true (and managed: false where you bring your own)',
    );
  }
}

function* validateNotMade(spec: ClusterSpec): Iterable<Fault> {
  const { provider } = spec.kubeDNS ?? {};
  if (provider !== undefined && !['CoreDNS', 'KubeDNS', 'None'].includes(provider)) {
    yield fault('spec.kubeDNS.provider', `expected CoreDNS, KubeDNS or None, found '${provider}'`);
  }
  if (spec.kubeDNS?.nodeLocalDNS?.enabled === true && spec.cloudProvider === 'local') {
    yield fault('spec.kubeDNS.nodeLocalDNS.enabled', 'has no image on local machines', 'leave it out');
  }
  if (spec.cloudProvider !== 'gce' && spec.cloudConfig?.gcpPDCSIDriver?.enabled === true) {
    yield fault('spec.cloudConfig.gcpPDCSIDriver.enabled', 'exists on GCE only', 'leave it out');
  }
  if (spec.cloudProvider === 'aws') return;
  for (const field of ['awsLoadBalancerController', 'nodeTerminationHandler', 'podIdentityWebhook'] as const) {
    if (spec[field]?.enabled === true) yield fault(`spec.${field}.enabled`, 'exists on AWS only', 'leave it out');
  }
}
