import { object, type ValueOf } from './field.ts';

export const runtimePackages = object({
  hashAmd64: 'string',
  hashArm64: 'string',
  urlAmd64: 'string',
  urlArm64: 'string',
});

/** Where a runtime is downloaded from, per architecture, with its hash. */
export interface RuntimePackages extends ValueOf<typeof runtimePackages> {}
