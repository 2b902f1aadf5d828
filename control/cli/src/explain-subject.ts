import type { OwnKind } from '@kopsctl/actions/store/object-paths.ts';
import { isKind, type Kind, KINDS } from '@kopsctl/spec/kinds.ts';
import { usageError } from './flags/usage-error.ts';

/** What `explain` is asked about: a field of a kind, or a stored object and where its values came from. */
export type ExplainSubject =
  | { readonly kind: Kind; readonly name?: never; readonly path?: string | undefined }
  | StoredSubject;

/** A stored object, or a value in it. */
export interface StoredSubject {
  readonly kind: OwnKind;
  readonly name: string;
  readonly path?: string | undefined;
}

/** The words of a command line as they were given. */
export interface ExplainWords {
  /** A kind, and as with kubectl its path may be attached: `cluster.spec.podCIDR` is `cluster spec.podCIDR`. */
  readonly kind: string;
  /** The name of an object in the state store; or a path, where no object is named. */
  readonly name: string | undefined;
  readonly path: string | undefined;
}

/** Pure. @throws ActionableError for a kind that does not exist, and for an object of a kind that a store keeps no origins of */
export function explainSubject({ kind: word, name, path }: ExplainWords): ExplainSubject {
  const [, before = word, attached] = /^([^.]*)\.(.*)$/.exec(word) ?? [];
  const kind = kindNamed(before);
  if (kind === undefined) throw unknownKind(before);
  const isAboutField = name === undefined || (attached === undefined && path === undefined && isPath(name));
  if (isAboutField) return { kind, path: attached ?? name };
  if (kind === 'Cluster' || kind === 'InstanceGroup') return { kind, name, path: path ?? attached };
  throw usageError({
    what: `explain the ${kind} ${name}`,
    why: 'only values of a Cluster and of an InstanceGroup have an origin',
    next: `kopsctl explain ${kind.toLowerCase()} [spec.path]`,
  });
}

/** Names of objects never begin like this. */
const isPath = (word: string): boolean => /^(spec|metadata)\b/.test(word);

/** Kinds as kubectl takes them: in any case, and in the plural. */
function kindNamed(word: string): Kind | undefined {
  const singular = word.toLowerCase().replace(/s$/, '');
  const name = singular === 'ig' ? 'InstanceGroup' : Object.keys(KINDS).find((one) => one.toLowerCase() === singular);
  return name !== undefined && isKind(name) ? name : undefined;
}

const unknownKind = (word: string) =>
  usageError({
    what: `explain ${word}`,
    why: `only a node, and the kinds ${Object.keys(KINDS).join(', ')} can be explained`,
    next: 'kopsctl explain cluster [NAME] [spec.path], or kopsctl explain instancegroup [NAME] [spec.path] --name CLUSTER',
  });
