/** What has to be known of a network that a cluster shares with others. */
export interface VpcInfo {
  /** Absent in clouds whose networks have none. */
  readonly cidr?: string;
  readonly subnets: readonly { readonly id: string; readonly place: string; readonly cidr: string }[];
}
