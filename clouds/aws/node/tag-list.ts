/** The tags of a resource that we manage. */
export type Tags = { readonly [key: string]: string };

/** Tags as input of AWS calls. */
export const tagList = (tags: Tags): { readonly Key: string; readonly Value: string }[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

/** Parses tags or attributes in responses of AWS. */
export const tagsOf = (list: readonly { Key?: string | undefined; Value?: string | undefined }[] | undefined): Tags =>
  Object.fromEntries((list ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));

/** Those of the existing tags that we manage. */
export const kept = (wanted: Tags, there: Tags): Tags =>
  Object.fromEntries(Object.keys(wanted).flatMap((key) => (there[key] === undefined ? [] : [[key, there[key]]])));
