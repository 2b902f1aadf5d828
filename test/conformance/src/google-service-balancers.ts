import { networkName, roleTag } from '@kopsctl/clouds/gce/control/names.ts';
import type { ComputeState } from './google-compute.ts';

const API = 'https://www.googleapis.com/compute/v1/';
const EXTERNAL = `a${'1'.repeat(31)}`;
const INTERNAL = `a${'2'.repeat(31)}`;

/**
 * What the cloud controller of a cluster makes for an external Service, an internal one, and a node, in the network that the
 * cluster has made (cloud-provider-gcp v35, providers/gce).
 */
export function serveService(compute: ComputeState, cluster: string): void {
  const own = [...compute.resources.keys()].find((path) => path.endsWith(`/global/networks/${networkName(cluster)}`));
  const [, project = ''] = own?.split('/') ?? [];
  const machine = [...compute.resources.keys()].find((path) => path.includes('/instances/nodes'));
  const subnet = [...compute.resources.keys()].find((path) => path.includes('/subnetworks/'));
  if (own === undefined || machine === undefined || subnet === undefined) throw new Error('the cluster is not made');
  const region = subnet.slice(0, subnet.indexOf('/subnetworks/'));
  const zone = machine.slice(0, machine.indexOf('/instances/'));
  const global = `projects/${project}/global`;
  const url = (path: string): string => API + path;
  const put = (path: string, resource: object): void => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    compute.resources.set(path, { name, selfLink: url(path), ...resource });
  };
  const firewall = (name: string): void =>
    put(`${global}/firewalls/${name}`, {
      network: url(own),
      targetTags: [roleTag('node', cluster)],
      allowed: [{ IPProtocol: 'tcp' }],
    });
  const check = `${global}/httpHealthChecks/k8s-0123456789abcdef-node`;
  put(check, { port: 10256 });
  put(`${region}/targetPools/${EXTERNAL}`, { instances: [url(machine)], healthChecks: [url(check)] });
  put(`${region}/addresses/${EXTERNAL}`, { addressType: 'EXTERNAL' });
  put(`${region}/forwardingRules/${EXTERNAL}`, { target: url(`${region}/targetPools/${EXTERNAL}`) });
  firewall(`k8s-fw-${EXTERNAL}`);
  firewall('k8s-0123456789abcdef-node-http-hc');

  put(`${global}/healthChecks/${INTERNAL}`, { type: 'HTTP' });
  put(`${zone}/instanceGroups/k8s-ig--0123456789abcdef`, { network: url(own) });
  put(`${region}/backendServices/${INTERNAL}`, {
    network: url(own),
    backends: [{ group: url(`${zone}/instanceGroups/k8s-ig--0123456789abcdef`) }],
    healthChecks: [url(`${global}/healthChecks/${INTERNAL}`)],
  });
  put(`${region}/forwardingRules/${INTERNAL}`, {
    network: url(own),
    subnetwork: url(subnet),
    backendService: url(`${region}/backendServices/${INTERNAL}`),
  });
  firewall(`k8s-fw-${INTERNAL}`);
  firewall(`${INTERNAL}-hc`);

  put(`${global}/routes/demo-11111111-2222-3333-4444-555555555555`, {
    description: 'k8s-node-route',
    network: url(own),
    nextHopInstance: url(machine),
    destRange: '100.96.1.0/24',
  });
}
