import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { canonicalName, type Zone } from './zone.ts';

/** Finds the configured zones among those of an account, by id or by name. Pure; throws if a zone does not exist. */
export function findZones(there: readonly Zone[], configured: readonly string[], kind: string): readonly Zone[] {
  const found = configured.map((wanted) => ({
    wanted,
    zones: there.filter(({ id, name }) => id === wanted || name === canonicalName(wanted)),
  }));
  const missing = found.filter(({ zones }) => zones.length === 0).map(({ wanted }) => wanted);
  if (missing.length > 0) {
    const has = there.length === 0 ? 'none' : there.map(({ id, name }) => `${name} (${id})`).join(', ');
    throw new ActionableError({
      what: `find the DNS zone ${missing.join(', ')}`,
      why: `it is not one of the ${kind}: ${has}`,
      next: 'create the zone, or correct spec.dnsZone and spec.topology.dns.type',
    });
  }
  const all = found.flatMap(({ zones }) => zones);
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}
