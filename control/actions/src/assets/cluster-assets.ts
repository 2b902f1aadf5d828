/** An image of a container: what its project calls it, and where machines of the cluster pull it. */
export interface ImageAsset {
  readonly canonical: string;
  readonly download: string;
}

/** A file that machines download: where its project publishes it, and where machines look for it first. */
export interface FileAsset extends ImageAsset {
  /** Its SHA-256, where that is known without a connection. */
  readonly sha: string;
}

export interface ClusterAssets {
  readonly images: readonly ImageAsset[];
  readonly files: readonly FileAsset[];
}
