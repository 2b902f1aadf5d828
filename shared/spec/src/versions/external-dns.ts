import { isRecord } from '@kopsctl/tasks/record.ts';
import type { Values } from './values.ts';

/** v1alpha3 has no `disable`. Instead, the provider is `none`. */
const NONE = 'none';

/** Converts a cluster of v1alpha2 to the form of v1alpha3. */
export function disabledAsProvider(cluster: Values): Values {
  return change(cluster, (externalDns) => {
    if (externalDns['disable'] !== true) return externalDns;
    const { disable: _, ...rest } = externalDns;
    return { ...rest, provider: NONE };
  });
}

/** The opposite direction. */
export function providerAsDisabled(cluster: Values): Values {
  return change(cluster, (externalDns) => {
    if (externalDns['provider'] !== NONE) return externalDns;
    const { provider: _, ...rest } = externalDns;
    return { ...rest, disable: true };
  });
}

function change(cluster: Values, edit: (externalDns: Values) => Values): Values {
  const { spec } = cluster;
  if (!isRecord(spec) || !isRecord(spec['externalDns'])) return cluster;
  return { ...cluster, spec: { ...spec, externalDns: edit(spec['externalDns']) } };
}
