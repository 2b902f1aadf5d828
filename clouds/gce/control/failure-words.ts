import type { FailureWords } from '@kopsctl/model/failure-words.ts';

/** Compute Engine: errors of managed instance groups. */
export const GCE_FAILURE_WORDS: FailureWords = {
  'machine-image': /images\/\S+' was not found/i,
  'machine-type': /Machine type with name \S+ does not exist/i,
  addresses: /IP_SPACE_EXHAUSTED/i,
  policy: /Constraint constraints\/\S+ violated/,
  quota: /ZONE_RESOURCE_POOL_EXHAUSTED/i,
  refused: /PERMISSIONS_ERROR/i,
};
