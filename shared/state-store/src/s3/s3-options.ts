export interface S3Options {
  /** Another server than AWS, e.g. `https://s3.example.com`; its buckets are then addressed by path. */
  readonly endpoint?: string;
  /** Default `us-east-1`. */
  readonly region?: string;
  /** Where the server ignores conditions, two operators may overwrite each other; default false, such a server is refused. */
  readonly allowBlindWrites?: boolean;
  /** Default: what the AWS SDK finds (environment, profile, role of the instance). */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

export interface S3Location {
  readonly bucket: string;
  /** `''`, or ending in `/`. */
  readonly keyPrefix: string;
}
