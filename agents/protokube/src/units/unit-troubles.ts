import { parseUnitProperties } from '@kopsctl/node-handlers/unit-properties.ts';
import { UNIT_STOPPED } from '@kopsctl/node-plan/machine-state.ts';

/** What systemd says about a unit. */
export interface ShownUnit {
  readonly name: string;
  readonly load: string;
  readonly active: string;
  readonly sub: string;
  readonly result: string;
  /** How often systemd has started it again by itself. */
  readonly restarts: number;
}

/** The properties to ask `systemctl show` for. */
export const PROPERTIES = ['Id', 'LoadState', 'ActiveState', 'SubState', 'Result', 'NRestarts'];

/** What `systemctl show` printed of several units. */
export function parseUnits(text: string): readonly ShownUnit[] {
  return parseUnitProperties(text).map((properties) => {
    const value = (property: string): string => properties.get(property) ?? '';
    return {
      name: value('Id'),
      load: value('LoadState'),
      active: value('ActiveState'),
      sub: value('SubState'),
      result: value('Result'),
      restarts: Number(value('NRestarts')) || 0,
    };
  });
}

/**
 * What keeps a unit from running, in a few words; undefined if it runs, is about to, or is not a unit of this machine. Pure.
 *
 * @param restartsBefore at the previous look: a unit that ends again and again may be running at the moment of each look
 */
export function troubleOf(
  { load, active, sub, result, restarts }: ShownUnit,
  restartsBefore: number,
): string | undefined {
  if (load === 'not-found' || load === 'masked') return undefined;
  if (load !== 'loaded') return `its unit file cannot be used (${load})`;
  if (active === 'failed') return `it has failed (${result})`;
  if (active === 'inactive') return UNIT_STOPPED;
  const endsAgain = sub === 'auto-restart' || restarts > restartsBefore;
  return endsAgain ? `it ends again and again${result === 'success' ? '' : ` (${result})`}` : undefined;
}
