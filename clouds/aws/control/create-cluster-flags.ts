import type { OwnFlags } from '@kopsctl/model/create-cluster/own-flags.ts';

/** Spotinst's settings were flags of kops. */
export const AWS_FLAGS = {
  spotinstProduct: { flags: '--spotinst-product <product>', path: 'spec.cloudConfig.spotinstProduct' },
  spotinstOrientation: { flags: '--spotinst-orientation <orientation>', path: 'spec.cloudConfig.spotinstOrientation' },
} as const satisfies OwnFlags;
