import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { type FieldDefaults, fieldDefaults } from '@kopsctl/spec/describe/field-defaults.ts';
import type { Kind } from '@kopsctl/spec/kinds.ts';

/** The defaults of a kind's fields that all clouds of this build have in common, or that only one of them has. */
export const defaultValues = (kind: Kind): FieldDefaults => fieldDefaults(kind, CLOUDS);
