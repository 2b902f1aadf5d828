import type { AddonObject } from './addon-object.ts';

/** An entry of the bootstrap channel. */
export interface Addon {
  /** kops's name of it, which also names its folder. */
  readonly name: string;
  readonly id: string;
  readonly objects: readonly AddonObject[];
  /** How its objects are found; `k8s-addon: <name>` unless given. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The field of the spec that asks for it, where there is one: it may stand there because a person wrote it, or by default. */
  readonly askedBy?: string;
  /** Images of pods that it makes itself: it is told them by an argument or in its configuration. */
  readonly starts?: readonly string[];
  /** Machines that are to be replaced after it changed. */
  readonly needsRollingUpdate?: 'control-plane' | 'workers' | 'all';
}

/** An addon where it is wanted; its objects are made only then. */
export const addonIf = (
  isWanted: boolean | undefined,
  name: string,
  id: string,
  objects: () => Addon['objects'],
  more: Pick<Addon, 'askedBy' | 'starts'> = {},
): readonly Addon[] => (isWanted === true ? [{ name, id, objects: objects(), ...more }] : []);
