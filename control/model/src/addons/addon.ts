import type { AddonObject } from './addon-object.ts';

/** An entry of the bootstrap channel. */
export interface Addon {
  /** kops's name for it, which is also the name of its folder. */
  readonly name: string;
  readonly id: string;
  readonly objects: readonly AddonObject[];
  /** Labels of its objects; by default `k8s-addon: <name>`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The field of the spec that enables it, which the user or a default may have set. */
  readonly askedBy?: string;
  /** Images of pods that it creates itself, as its arguments or its configuration name them. */
  readonly starts?: readonly string[];
  /** The facts for which it has places, such as `@{account}`; by default all that look so. A person's own text has none. */
  readonly needsFacts?: readonly string[];
  /** Machines that have to be replaced after it has changed. */
  readonly needsRollingUpdate?: 'control-plane' | 'workers' | 'all';
}

/** The addon if it is wanted. Its objects are built only then. */
export const addonIf = (
  isWanted: boolean | undefined,
  name: string,
  id: string,
  objects: () => Addon['objects'],
  more: Pick<Addon, 'askedBy' | 'labels' | 'starts'> = {},
): readonly Addon[] => (isWanted === true ? [{ name, id, objects: objects(), ...more }] : []);
