import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

import { isRecord } from '@kopsctl/tasks/record.ts';
import type { AssetEntry, AssetIndex } from './asset-index.ts';

/** Reads an index.json and checks every entry, so that its fields can be trusted. `file` is for the message only. */
export function parseAssetIndex(text: string, file: string): AssetIndex {
  const refuse = (why: string, cause?: unknown): ActionableError =>
    new ActionableError({
      what: `read the asset index ${file}`,
      why,
      next: 'make it again: npm run assets',
      ...(cause === undefined ? {} : { cause }),
    });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw refuse(messageOf(cause), cause);
  }
  if (!isRecord(parsed) || !Array.isArray(parsed['assets'])) throw refuse('it holds no list "assets"');
  const assets: unknown[] = parsed['assets'];
  const checked = assets.filter(isEntry);
  if (checked.length !== assets.length) {
    const at = assets.findIndex((entry) => !isEntry(entry));
    throw refuse(`assets[${String(at)}]: ${faultOf(assets[at]) ?? 'not an asset'}`);
  }
  return { assets: checked };
}

function isEntry(entry: unknown): entry is AssetEntry {
  return faultOf(entry) === undefined;
}

function faultOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return 'not an object';
  for (const field of ['name', 'version', 'file']) {
    if (typeof entry[field] !== 'string' || entry[field] === '') return `${field} must be a string`;
  }
  if (entry['arch'] !== 'amd64' && entry['arch'] !== 'arm64') return 'arch must be amd64 or arm64';
  if (typeof entry['sha256'] !== 'string' || !/^[0-9a-f]{64}$/.test(entry['sha256'])) {
    return 'sha256 must be 64 hex digits';
  }
  const digest = entry['digest'];
  if (digest !== undefined && (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest))) {
    return 'digest must be sha256: and 64 hex digits';
  }
  if (typeof entry['size'] !== 'number' || entry['size'] < 0) return 'size must be a number of bytes';
  return undefined;
}
