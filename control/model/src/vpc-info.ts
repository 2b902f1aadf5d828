/** What has to be known of a network that a cluster shares with others. */
export interface VpcInfo {
  readonly cidr: string;
  readonly subnets: readonly { readonly id: string; readonly zone: string; readonly cidr: string }[];
}
