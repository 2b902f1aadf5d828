import type { Cloud } from '@kopsctl/model/cloud.ts';
import { plainCloud, type SpecCloud } from '@kopsctl/spec/cloud.ts';
import { CLOUDS } from './control-registry.ts';

export { CLOUDS } from './control-registry.ts';

/** Finds a cloud by its name in spec.cloudProvider. */
export const findCloud = (name: string | undefined): Cloud | undefined => CLOUDS.find((cloud) => cloud.name === name);

/** The rules of the cloud that completion and validation apply; an unknown cloud has no rules of its own. */
export const specCloud = ({ spec }: { readonly spec: { readonly cloudProvider?: string } }): SpecCloud =>
  findCloud(spec.cloudProvider) ?? plainCloud(spec.cloudProvider ?? '(none)');
