/** The versions of the API. Inside there is only v1alpha2; v1alpha3 is read and written at the edge. */
export type ApiVersion = 'v1alpha2' | 'v1alpha3';

const GROUP = 'kops.k8s.io';

/** How a version is written into an object. */
export const apiVersionOf = (version: ApiVersion): string => `${GROUP}/${version}`;

/** How specs in the wild spell the versions: before Kubernetes 1.5, kops's group was `kops`. */
const SPELLINGS: Readonly<Record<string, ApiVersion>> = {
  [`${GROUP}/v1alpha2`]: 'v1alpha2',
  'kops/v1alpha2': 'v1alpha2',
  [`${GROUP}/v1alpha3`]: 'v1alpha3',
};

/** Every spelling, that of our own version first. */
export const API_VERSIONS: readonly string[] = Object.keys(SPELLINGS);

/** The version that an object says it is of, or undefined when it is none of ours. */
export const versionOf = (apiVersion: string): ApiVersion | undefined =>
  Object.hasOwn(SPELLINGS, apiVersion) ? SPELLINGS[apiVersion] : undefined;

/** How specs in the wild spell one version. */
export const spellingsOf = (version: ApiVersion): readonly string[] =>
  API_VERSIONS.filter((spelling) => versionOf(spelling) === version);
