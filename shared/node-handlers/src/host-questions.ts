import { imageQuestions } from './containerd-images.ts';
import { packageQuestions } from './installed-packages.ts';
import type { NodeEnv } from './node-env.ts';
import { unitQuestions } from './service-state.ts';

/** The questions about a host that the tasks of one run share. */
export function hostQuestions(root: string): Pick<NodeEnv, 'units' | 'packages' | 'images'> {
  return { units: unitQuestions(), packages: packageQuestions(root), images: imageQuestions() };
}
