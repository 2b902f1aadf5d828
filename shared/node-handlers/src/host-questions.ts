import { imageQuestions } from './containerd-images.ts';
import { packageQuestions } from './installed-packages.ts';
import type { NodeEnv } from './node-env.ts';
import { unitQuestions } from './service-state.ts';

/** The questions that the tasks of one run ask their host together. */
export function hostQuestions(root: string): Pick<NodeEnv, 'units' | 'packages' | 'images'> {
  return { units: unitQuestions(), packages: packageQuestions(root), images: imageQuestions() };
}
