import type { CloudName } from '@kopsctl/spec/cloud.ts';
import type { CreateClusterFlags } from './flags.ts';
import { nonEmpty } from './given.ts';

/** A flag of `create cluster` that only one cloud has, under the name by which commander hands it over: `osOctavia`. */
export interface OwnFlag {
  /** As the command line declares it: `--project <project>`. Without a value it is a switch. */
  readonly flags: string;
  /** Without it, help does not show the flag. */
  readonly help?: string;
  /** The field of the Cluster that it sets. */
  readonly path: string;
  /** The one cloud that takes it; others refuse it. Without this, they make nothing of it, as in kops. */
  readonly onlyFor?: CloudName;
  /** It is another name of this flag, which every cloud has. */
  readonly sameAs?: 'networkId';
}

export type OwnFlags<Name extends string = string> = Readonly<Record<Name, OwnFlag>>;

/** Reads the flags that a cloud has declared as its own. */
export function ownFlags<Name extends string>({ own = {} }: CreateClusterFlags, _declared: OwnFlags<Name>) {
  return {
    /** As in kops, an empty word counts as not given. */
    text: (name: Name): string | undefined => {
      const value = own[name]?.value;
      return typeof value === 'string' ? nonEmpty(value) : undefined;
    },
    isOn: (name: Name): boolean => own[name]?.value === true,
  };
}

/** The same flags with a value for one of a cloud's own. */
export const withOwnFlag = <Name extends string>(
  flags: CreateClusterFlags,
  declared: OwnFlags<Name>,
  name: Name,
  value: string,
): CreateClusterFlags => ({ ...flags, own: { ...flags.own, [name]: { value, path: declared[name].path } } });
