/** The tags of what a cluster owns, by which `delete cluster` finds it. */
export const ownTags = (cluster: string): Readonly<Record<string, string>> => ({
  KubernetesCluster: cluster,
  [`kubernetes.io/cluster/${cluster}`]: 'owned',
});

/** Whether a cluster owns a thing. */
export const isOwned = ({ tags }: { readonly tags: Readonly<Record<string, string>> }, cluster: string): boolean =>
  tags[`kubernetes.io/cluster/${cluster}`] === 'owned';
