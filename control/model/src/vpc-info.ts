/** What has to be known of a network that a cluster shares with others. */
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
  /** What the subnet has besides, such as addresses of pods. */
  readonly furtherCidrs?: readonly string[];
}
