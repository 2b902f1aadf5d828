/** What a cluster has to know of a network that it shares with others. */
export interface VpcInfo {
  readonly cidr: string;
  readonly subnets: readonly { readonly id: string; readonly zone: string; readonly cidr: string }[];
}
