/**
 * Distributes a number of machines over the zones of a group, like kops: the remainder goes to the first zones. Zones are in
 * the order of their names.
 */
export function sizesByZone(size: number, zones: readonly string[]): ReadonlyMap<string, number> {
  const each = Math.floor(size / zones.length);
  const over = size % zones.length;
  return new Map(zones.toSorted().map((zone, index) => [zone, each + (index < over ? 1 : 0)]));
}
