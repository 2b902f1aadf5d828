/** A folder of a cluster's state that is not below the cluster's own folder. */
export interface StorePlace {
  /** In the state store: `demo.example.com/pki`. */
  readonly folder: string;
  /** The URL of the folder that is used instead. */
  readonly url: string;
}
