import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** What AWS has no way to do (kops pkg/apis/kops/validation/validation.go). */
export function* validateAws({ spec: { iam, serviceAccountIssuerDiscovery: discovery } }: Cluster): Iterable<Fault> {
  if (discovery?.enableAWSOIDCProvider === true) return;
  const hint = 'set spec.serviceAccountIssuerDiscovery: discoveryStore, and enableAWSOIDCProvider: true';
  const why = 'AWS does not trust the tokens of service accounts';
  if (iam?.useServiceAccountExternalPermissions === true) {
    yield fault('spec.iam.useServiceAccountExternalPermissions', why, hint);
  }
  if ((iam?.serviceAccountExternalPermissions ?? []).length > 0) {
    yield fault('spec.iam.serviceAccountExternalPermissions', why, hint);
  }
}
