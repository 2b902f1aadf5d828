import type { FieldDefaults } from '@kopsctl/spec/describe/field-defaults.ts';
import type { Kind } from '@kopsctl/spec/kinds.ts';
import values from './default-values.json' with { type: 'json' };

/**
 * The defaults of a kind's fields that all clouds of this build have in common, or that only one of them has. They are kept as a
 * file, because completing dozens of specs takes longer than everything else that shows them; its test checks that the
 * file is what completion infers.
 */
export const defaultValues = (kind: Kind): FieldDefaults =>
  new Map(Object.entries(kind === 'Cluster' || kind === 'InstanceGroup' ? values[kind] : {}));
