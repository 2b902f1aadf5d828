/**
 * What the asset builder made (or where it is published), written as index.json into the assets folder; the
 * node-plan model reads it to pin hashes and URLs. File names are relative to that folder. `image` is set for
 * image archives. Names: kubelet, kubectl, containerd (release layout bin/…), runc, cni (flat folder of plugins),
 * docker (flat folder), etcd-<version> (etcd, etcdctl), image/kube-apiserver …, image/pause, agents-<arch>.
 */
export interface AssetIndex {
  readonly assets: readonly AssetEntry[];
}

export interface AssetEntry {
  readonly name: string;
  readonly version: string;
  readonly arch: 'amd64' | 'arm64';
  readonly file: string;
  /** Hex. */
  readonly sha256: string;
  readonly size: number;
  readonly image?: string;
  /** Where the upstream project publishes exactly these bytes, when it does. */
  readonly urls?: readonly string[];
}

/**
 * An asset that nothing here has seen: upstream publishes it, and its hash beside it. Who downloads it takes the
 * hash from there, over TLS, and checks the bytes against it.
 */
export interface PublishedAsset extends Omit<AssetEntry, 'sha256' | 'size' | 'urls'> {
  readonly urls: readonly string[];
  /** A file that holds the hash in hex: alone, or in a line with the asset's file name as sha256sum writes it. */
  readonly sha256Url: string;
}
