/** An existing network is named `NAME`, or `PROJECT/NAME` if it is of another project (kops). */
export function namedNetwork(id: string, ownProject: string): { readonly project: string; readonly name: string } {
  const slash = id.indexOf('/');
  return slash === -1 ? { project: ownProject, name: id } : { project: id.slice(0, slash), name: id.slice(slash + 1) };
}
