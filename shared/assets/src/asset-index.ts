/**
 * The assets that the builder made, or where they are published: index.json of the assets folder. The model reads it to
 * pin hashes and URLs in node plans. File names are relative to that folder. `image` is set for
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
  /** The digest that the image's registry has under its name (`sha256:…`); absent for an image that was made here. */
  readonly digest?: string;
  /** Where the upstream project publishes exactly these bytes, when it does. */
  readonly urls?: readonly string[];
}
