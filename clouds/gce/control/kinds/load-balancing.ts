import type { Text } from '@kopsctl/model/output.ts';
import type { Labels } from '../../node/labels.ts';

/** The only check that target pools support. */
export interface HttpHealthCheckProps {
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

export interface HealthCheckProps {
  readonly name: string;
  readonly region: string;
  readonly protocol: 'TCP' | 'SSL';
  readonly port: number;
}

export interface TargetPoolProps {
  readonly name: string;
  readonly region: string;
  readonly healthCheck: Text;
}

/** The machines behind internal load balancers. */
export interface BackendServiceProps {
  readonly name: string;
  readonly region: string;
  readonly healthCheck: Text;
  readonly instanceGroups: readonly Text[];
}

export type ForwardingRuleProps = {
  readonly name: string;
  readonly region: string;
  readonly address: Text;
  readonly ports: readonly string[];
  readonly labels: Labels;
} & (
  | { readonly targetPool: Text }
  | { readonly backendService: Text; readonly network: Text; readonly subnetwork: Text }
);
