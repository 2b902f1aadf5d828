import { orEmpty, type WordTable } from '@kopsctl/spec/validate/words.ts';

/** The words of GCE (kops pkg/apis/kops/validation/gce.go). */
export const GCE_WORDS: WordTable = {
  cluster: {},
  group: { 'spec.gcpProvisioningModel': orEmpty('STANDARD', 'SPOT') },
};
