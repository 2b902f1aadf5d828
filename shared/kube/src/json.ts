/** Readers of foreign JSON and YAML. A value of another type reads as empty; the readers never throw. */

export { asRecord } from '@kopsctl/tasks/record.ts';

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
