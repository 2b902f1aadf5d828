import type { Tags } from './kinds/output.ts';

/** Tags as the calls of AWS take them. */
export const tagList = (tags: Tags): { readonly Key: string; readonly Value: string }[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

/** Tags, or attributes, as the calls of AWS give them back. */
export const tagsOf = (list: readonly { Key?: string | undefined; Value?: string | undefined }[] | undefined): Tags =>
  Object.fromEntries((list ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));

/** Of the tags that are there, those that are ours to keep. */
export const kept = (wanted: Tags, there: Tags): Tags =>
  Object.fromEntries(Object.keys(wanted).flatMap((key) => (there[key] === undefined ? [] : [[key, there[key]]])));
