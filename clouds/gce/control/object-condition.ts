/**
 * The condition that limits a role to objects whose names have one of these beginnings (Google, "Attributes for IAM
 * Conditions", resource.name).
 */
export const objectCondition = (
  bucket: string,
  { title, prefixes }: { readonly title: string; readonly prefixes: readonly string[] },
): { readonly title: string; readonly expression: string } => ({
  title,
  expression: prefixes
    .map((prefix) => `resource.name.startsWith(${JSON.stringify(`projects/_/buckets/${bucket}/objects/${prefix}`)})`)
    .join(' || '),
});
