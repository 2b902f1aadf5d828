import { imageQuestions } from './containerd-images.ts';
import type { NodeEnv } from './node-env.ts';
import { unitQuestions } from './service-state.ts';

/** The questions that the tasks of one run ask their host together. */
export function hostQuestions(): Pick<NodeEnv, 'units' | 'images'> {
  return { units: unitQuestions(), images: imageQuestions() };
}
