import type { WriteCondition } from './store.ts';

/** Why a write under `condition` must not happen while `currentVersion` is there; `undefined` when it may. Pure. */
export function conflictOf(condition: WriteCondition, currentVersion: string | undefined): string | undefined {
  if ('ifAbsent' in condition) {
    return currentVersion === undefined ? undefined : 'it was to be created, but it already exists';
  }
  if (currentVersion === undefined) return `it was to replace version ${condition.ifVersion}, but nothing is there`;
  if (currentVersion === condition.ifVersion) return undefined;
  return `it was to replace version ${condition.ifVersion}, but version ${currentVersion} is there`;
}

/** Writes over exactly what was read: the `version` that was there, or nothing if there was none. */
export const ifUnchanged = (version: string | undefined): WriteCondition =>
  version === undefined ? { ifAbsent: true } : { ifVersion: version };
