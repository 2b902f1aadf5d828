import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { canonicalName, type Zone } from './zone.ts';

/** The zones of an account that are meant, each by its id or its name. Pure; throws where one is not there. */
export function findZones(there: readonly Zone[], meant: readonly string[], kind: string): readonly Zone[] {
  const found = meant.map((wanted) => ({
    wanted,
    zones: there.filter(({ id, name }) => id === wanted || name === canonicalName(wanted)),
  }));
  const missing = found.filter(({ zones }) => zones.length === 0).map(({ wanted }) => wanted);
  if (missing.length > 0) {
    const has = there.length === 0 ? 'none' : there.map(({ id, name }) => `${name} (${id})`).join(', ');
    throw new ActionableError({
      what: `find the DNS zone ${missing.join(', ')}`,
      why: `of the ${kind} there are: ${has}`,
      next: 'make the zone, or correct spec.dnsZone and spec.topology.dns.type',
    });
  }
  const all = found.flatMap(({ zones }) => zones);
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}
