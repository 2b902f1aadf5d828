/** What has to be known about a network that a cluster shares with others. */
export interface VpcInfo {
  /** Absent in clouds whose networks have none. */
  readonly cidr?: string;
  readonly subnets: readonly SubnetInfo[];
}

interface SubnetInfo {
  readonly id: string;
  /** Its zone, or its region in clouds whose subnets have machines of all zones. */
  readonly place: string;
  readonly cidr: string;
  /** The other ranges of the subnet, such as those for addresses of pods. */
  readonly furtherCidrs?: readonly string[];
}
