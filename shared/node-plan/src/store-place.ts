/** A folder of a cluster's state that lies elsewhere than below the cluster's own. */
export interface StorePlace {
  /** In the state store: `demo.example.com/pki`. */
  readonly folder: string;
  /** The URL of the folder that is used in its stead. */
  readonly url: string;
}
