/** Where the changes of a spec are, relative to the state store's root: a folder each, named by its number. */
export const historyFolder = (cluster: string): string => `${cluster}/manifests/kopsctl/history`;
