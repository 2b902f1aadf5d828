import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { attribute, noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { block, blocks } from '@kopsctl/model/terraform/value.ts';
import type * as loadBalancing from '../kinds/load-balancing.ts';

export const httpHealthCheck: TerraformKind<loadBalancing.HttpHealthCheckProps> = {
  resources: (name, props) => [
    resource('google_compute_http_health_check', name, {
      name: props.name,
      port: props.port,
      request_path: props.path,
    }),
  ],
  output: (_output, name) => attribute('google_compute_http_health_check', name, 'self_link'),
};

export const healthCheck: TerraformKind<loadBalancing.HealthCheckProps> = {
  resources: (name, { name: ownName, protocol, port }) => [
    resource('google_compute_region_health_check', name, {
      name: ownName,
      ...(protocol === 'TCP' ? { tcp_health_check: block({ port }) } : { ssl_health_check: block({ port }) }),
    }),
  ],
  output: (_output, name) => attribute('google_compute_region_health_check', name, 'id'),
};

export const targetPool: TerraformKind<loadBalancing.TargetPoolProps> = {
  resources: (name, props, { link }) => [
    resource('google_compute_target_pool', name, {
      health_checks: [link(props.healthCheck)],
      name: props.name,
    }),
  ],
  output: (_output, name) => attribute('google_compute_target_pool', name, 'self_link'),
};

export const backendService: TerraformKind<loadBalancing.BackendServiceProps> = {
  resources: (name, props, { link }) => [
    resource('google_compute_region_backend_service', name, {
      backend: blocks(props.instanceGroups.map((group) => ({ balancing_mode: 'CONNECTION', group: link(group) }))),
      health_checks: [link(props.healthCheck)],
      load_balancing_scheme: 'INTERNAL',
      name: props.name,
      protocol: 'TCP',
    }),
  ],
  output: (_output, name) => attribute('google_compute_region_backend_service', name, 'id'),
};

export const forwardingRule: TerraformKind<loadBalancing.ForwardingRuleProps> = {
  resources: (name, props, { link }) => [
    resource('google_compute_forwarding_rule', name, {
      ip_address: link(props.address),
      ip_protocol: 'TCP',
      labels: props.labels,
      name: props.name,
      ...('targetPool' in props
        ? {
            load_balancing_scheme: 'EXTERNAL',
            port_range: `${props.ports[0]}-${props.ports.at(-1)}`,
            target: link(props.targetPool),
          }
        : {
            backend_service: link(props.backendService),
            load_balancing_scheme: 'INTERNAL',
            network: link(props.network),
            ports: props.ports,
            subnetwork: link(props.subnetwork),
          }),
    }),
  ],
  output: noOutput,
};
