import type { PublishedAsset } from '../published-asset.ts';
import { quote } from './hcl.ts';

/**
 * Makes Terraform refuse a configuration that was written without a connection, where the hash of something that
 * machines download is not known: it may be read and compared, but no machine is made from it. Terraform 1.2 and newer
 * understand preconditions; older ones refuse the file itself.
 */
export function refuseUnpinned(unpinned: readonly PublishedAsset[]): ReadonlyMap<string, string> {
  if (unpinned.length === 0) return new Map();
  const addresses = [...new Set(unpinned.map(({ urls }) => urls[0] ?? ''))].sort();
  const text = [
    '# Written with --offline: nobody knows the hash of these files, so the user-data and the plans of machines lack it.',
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
  return new Map([['files-without-hash.tf', text.join('\n')]]);
}
