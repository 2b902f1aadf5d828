import type { TerraformKind } from './kind.ts';
import { noOutput, resource } from './resource.ts';
import type { Body, Expression } from './value.ts';

interface StoredFile {
  /** Relative to the cluster's folder of the state store. */
  readonly path: string;
  readonly content: string;
}

/** An object of a bucket. */
export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

/**
 * The files that machines read, as objects of buckets.
 *
 * @param type the provider's resource for an object
 * @param placeOf undefined for a file that is in no bucket of this cloud
 * @param bodyOf the arguments of the resource
 */
export const storedFiles = (
  type: string,
  placeOf: (path: string) => ObjectPlace | undefined,
  bodyOf: (place: ObjectPlace, content: Expression) => Body,
): { readonly ManagedFile: TerraformKind<StoredFile> } => ({
  ManagedFile: {
    resources(name, { path, content }, { file }) {
      const place = placeOf(path);
      return place === undefined ? [] : [resource(type, name, bodyOf(place, file(type, name, 'content', content)))];
    },
    output: noOutput,
  },
});
