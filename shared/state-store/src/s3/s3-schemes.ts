/** Providers whose buckets kops names by a scheme of their own (kops util/pkg/vfs/context.go). Each of them speaks S3. */
const OF_PROVIDERS = ['do://', 'hos://', 'linode://', 'scw://'] as const;

/** How URLs of stores begin that are in buckets of S3 or of a compatible server. */
export const S3_SCHEMES: readonly string[] = ['s3://', ...OF_PROVIDERS];

/** Whether the store at `url` is at a server of S3 that has to be named beside the URL. */
export const needsServer = (url: string): boolean => OF_PROVIDERS.some((scheme) => url.startsWith(scheme));

/** Whether the store at `url` is in a bucket of S3 or of a compatible server. */
export const isInS3 = (url: string): boolean => S3_SCHEMES.some((scheme) => url.startsWith(scheme));
