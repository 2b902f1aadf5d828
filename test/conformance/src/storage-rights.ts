/** What can be done with objects, as Google names it: `storage.objects.get`. */
export type StorageRight = 'get' | 'list' | 'create' | 'delete';

/** The rights of the roles that kopsctl gives (Google, "IAM roles for Cloud Storage"). */
const GIVES: Readonly<Record<string, readonly StorageRight[]>> = {
  'roles/storage.objectViewer': ['get', 'list'],
  'roles/storage.objectAdmin': ['get', 'list', 'create', 'delete'],
  'roles/storage.legacyBucketReader': ['list'],
};

export interface StorageBinding {
  readonly role: string;
  readonly members: readonly string[];
  readonly condition?: { readonly expression?: string };
}

/** Whether a member may do this with an object, or with the names of all (`object` undefined), by the bindings of a bucket. */
export function mayUse(
  bindings: readonly StorageBinding[],
  member: string,
  right: StorageRight,
  { bucket, object }: { readonly bucket: string; readonly object: string | undefined },
): boolean {
  const resource = `projects/_/buckets/${bucket}${object === undefined ? '' : `/objects/${object}`}`;
  return bindings.some(
    ({ role, members, condition }) =>
      members.includes(member) && GIVES[role]?.includes(right) === true && holds(condition?.expression, resource),
  );
}

/** Of Google's language for conditions, the part that kopsctl writes: names that begin with one of several texts. */
function holds(expression: string | undefined, resource: string): boolean {
  if (expression === undefined) return true;
  return expression.split(' || ').some((part) => {
    const [, quoted] = /^resource\.name\.startsWith\((".*")\)$/.exec(part) ?? [];
    if (quoted === undefined) throw new Error(`this server does not understand the condition ${expression}`);
    return resource.startsWith(JSON.parse(quoted) as string);
  });
}
