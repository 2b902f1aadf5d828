import type { PublishedAsset } from '../assets/published-asset.ts';
import { quote } from './hcl.ts';

/** Its name in the folder of the configuration. */
export const FILES_WITHOUT_HASH = 'files-without-hash.tf';

/**
 * Makes Terraform reject a configuration that was rendered offline if the hash of a download is unknown: the
 * configuration can be read and compared, but no machine is created from it. Terraform 1.2 and newer support
 * preconditions; older versions reject the file itself.
 */
export function refuseUnpinned(unpinned: readonly PublishedAsset[]): ReadonlyMap<string, string> {
  if (unpinned.length === 0) return new Map();
  const addresses = [...new Set(unpinned.map(({ urls }) => urls[0] ?? ''))].sort();
  const text = [
    '# Written with --offline: the hashes of these files are unknown, so user-data and plans of machines lack them.',
    'locals {',
    '  files_without_hash = [',
    ...addresses.map((address) => `    ${quote(address)},`),
    '  ]',
    '}',
    '',
    'output "files_without_hash" {',
    '  value = local.files_without_hash',
    '',
    '  precondition {',
    '    condition     = length(local.files_without_hash) == 0',
    '    error_message = "Machines would download files without a hash. Write this configuration again without --offline."',
    '  }',
    '}',
    '',
  ];
  return new Map([[FILES_WITHOUT_HASH, text.join('\n')]]);
}
