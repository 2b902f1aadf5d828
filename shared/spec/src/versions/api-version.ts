/** The versions of the API. Internally only v1alpha2 is used; v1alpha3 is converted when it is read or written. */
export type ApiVersion = 'v1alpha2' | 'v1alpha3';

const GROUP = 'kops.k8s.io';

/** The spelling of a version in an object. */
export const apiVersionOf = (version: ApiVersion): string => `${GROUP}/${version}`;

/** Spellings that existing specs use: before Kubernetes 1.5, the group of kops was `kops`. */
const SPELLINGS: Readonly<Record<string, ApiVersion>> = {
  [`${GROUP}/v1alpha2`]: 'v1alpha2',
  'kops/v1alpha2': 'v1alpha2',
  [`${GROUP}/v1alpha3`]: 'v1alpha3',
};

/** Every spelling, our own version first. */
export const API_VERSIONS: readonly string[] = Object.keys(SPELLINGS);

/** The version of an object. Undefined if it is not a version of kops. */
export const versionOf = (apiVersion: string): ApiVersion | undefined =>
  Object.hasOwn(SPELLINGS, apiVersion) ? SPELLINGS[apiVersion] : undefined;

/** The spellings of one version that existing specs use. */
export const spellingsOf = (version: ApiVersion): readonly string[] =>
  API_VERSIONS.filter((spelling) => versionOf(spelling) === version);
