import type { Kind } from '../kinds.ts';
import type { ApiVersion } from '../versions/api-version.ts';
import { translatePath } from '../versions/translate-path.ts';
import { describeField } from './describe-field.ts';
import type { FieldDefaults } from './field-defaults.ts';
import { V1ALPHA3_TEXTS } from './v1alpha3-texts.ts';

/** A kind in a version of the API, with the defaults of its fields by their paths in v1alpha2. */
export interface DescribedKind {
  readonly kind: Kind;
  readonly version: ApiVersion;
  readonly defaults: FieldDefaults;
}

export interface FieldFacts {
  /** What the field is for. Every field has one. */
  readonly text?: string;
  /** What completion sets where a person sets nothing. */
  readonly default?: unknown;
}

/**
 * What is known of a field in the version that it is asked about.
 *
 * @param path with `[*]` for items of lists: `spec.etcdClusters[*].name`
 */
export function fieldFacts({ kind, version, defaults }: DescribedKind, path: string): FieldFacts {
  const { path: there, rewrite } = version === 'v1alpha2' ? { path } : translatePath(kind, path, version);
  const plain = withoutItems(there);
  const own = version === 'v1alpha2' ? undefined : V1ALPHA3_TEXTS[kind]?.[withoutItems(path).replace(/^spec\./, '')];
  const text = own ?? describeField(kind, plain.split('.'));
  const value = defaults.get(plain);
  return {
    ...(text !== undefined && { text }),
    ...(value !== undefined && { default: rewrite === undefined ? value : rewrite.toV1alpha3(value) }),
  };
}

const withoutItems = (path: string): string => path.replaceAll('[*]', '');
