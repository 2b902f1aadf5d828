import type { ValueOf } from './schema/field.ts';
import type { objectMeta } from './schema/metadata.ts';

/** Kubernetes metadata. A parsed object always has a name. */
export interface ObjectMeta extends ValueOf<typeof objectMeta> {
  readonly name: string;
}
