import type { Shared, Text } from '@kopsctl/model/output.ts';
import type { Tags } from '../../node/tag-list.ts';

/** A network load balancer. Yields `arn`, `dnsName`, `zoneId` and, with `leadsMachines`, `addresses`. */
export interface LoadBalancerProps {
  readonly name: string;
  readonly internal: boolean;
  /**
   * Machines of the cluster use it from inside the VPC, by its private addresses. The name of a public one leads to public
   * addresses there too: then the machines would come from outside, where rules admit only whom the spec names.
   */
  readonly leadsMachines: boolean;
  readonly dualStack: boolean;
  readonly crossZone: boolean;
  readonly securityGroups: readonly Text[];
  readonly subnets: readonly {
    readonly subnet: Text;
    readonly allocationId?: string;
    readonly privateAddress?: string;
  }[];
  readonly accessLog?: { readonly bucket: string; readonly prefix?: string };
  readonly tags: Tags;
}

/** The targets of a listener. Yields `arn`. */
export type TargetGroupProps =
  | {
      readonly name: string;
      readonly vpc: Text;
      readonly protocol: 'TCP' | 'TLS';
      readonly port: number;
      /** Path of an HTTPS health check; without it, the check only connects by TCP. */
      readonly healthPath?: string;
      readonly tags: Tags;
    }
  | Shared;

export interface ListenerProps {
  readonly loadBalancer: Text;
  readonly port: number;
  readonly protocol: 'TCP' | 'TLS';
  readonly certificate?: string;
  readonly sslPolicy?: string;
  readonly targetGroup: Text;
}
