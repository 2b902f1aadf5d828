import { deepEqual } from 'node:assert/strict';
import {
  AddressesClient,
  FirewallsClient,
  ForwardingRulesClient,
  NetworksClient,
  RegionBackendServicesClient,
  RegionHealthChecksClient,
  RoutersClient,
  SubnetworksClient,
  TargetPoolsClient,
} from '@google-cloud/compute';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { computeClientOptions, openOperations, operationOf } from './google-operations.ts';
import { type GoogleServer, startGoogle } from './google-server.ts';

const project = 'testproject';
const region = 'us-test1';
const place = { project, region };
const REGION = `projects/${project}/regions/${region}`;
const NETWORK = `projects/${project}/global/networks/net`;
const SUBNET = `${REGION}/subnetworks/sub`;
const url = (path: string) => `https://www.googleapis.com/compute/v1/${path}`;

function openClients(google: GoogleServer) {
  const options = computeClientOptions(google, project);
  return {
    done: openOperations(options, { project, region, zone: `${region}-a` }),
    addresses: new AddressesClient(options),
    firewalls: new FirewallsClient(options),
    rules: new ForwardingRulesClient(options),
    networks: new NetworksClient(options),
    services: new RegionBackendServicesClient(options),
    checks: new RegionHealthChecksClient(options),
    routers: new RoutersClient(options),
    subnetworks: new SubnetworksClient(options),
    pools: new TargetPoolsClient(options),
  };
}

/**
 * As google-compute-client.integration.test.ts: what leads traffic to a cluster, and what keeps it out. Google's client has no
 * legacy HTTP checks (`httpHealthChecks`), the only ones that a target pool takes.
 */
describe("Google's own client of balancers, firewalls and routers, on the test server", { timeout: 60_000 }, () => {
  let google: GoogleServer;
  let clients: ReturnType<typeof openClients>;
  const done: ReturnType<typeof openOperations> = (where, begun) => clients.done(where, begun);

  beforeAll(async () => {
    google = await startGoogle();
    clients = openClients(google);
    const networkResource = { name: 'net', autoCreateSubnetworks: false };
    await done('global', clients.networks.insert({ project, networkResource }));
    const subnetworkResource = { name: 'sub', network: NETWORK, ipCidrRange: '10.0.16.0/20' };
    await done('region', clients.subnetworks.insert({ ...place, subnetworkResource }));
  });
  afterEach(() => deepEqual(google.violations, []));
  afterAll(() => google.stop());

  test('opens, changes and lists firewall rules', async () => {
    const { firewalls } = clients;
    const firewallResource = {
      name: 'ssh',
      network: NETWORK,
      sourceRanges: ['192.0.2.0/24'],
      targetTags: ['nodes'],
      allowed: [{ IPProtocol: 'tcp', ports: ['22'] }],
    };
    await done('global', firewalls.insert({ project, firewallResource }));
    await done(
      'global',
      firewalls.update({ project, firewall: 'ssh', firewallResource: { ...firewallResource, disabled: true } }),
    );
    expect((await firewalls.get({ project, firewall: 'ssh' }))[0]).toMatchObject({
      allowed: [{ IPProtocol: 'tcp', ports: ['22'] }],
      disabled: true,
      network: url(NETWORK),
    });
    const unknown = { ...firewallResource, name: 'lost', network: `${NETWORK}-2` };
    await expect(operationOf(firewalls.insert({ project, firewallResource: unknown }))).rejects.toThrow(
      'cannot be found',
    );
    const names: (string | null | undefined)[] = [];
    for await (const { name } of firewalls.listAsync({ project })) names.push(name);
    expect(names).toEqual(['ssh']);
  });

  test('makes a router with its NAT', async () => {
    const { routers } = clients;
    const nats = [
      {
        name: 'nat',
        natIpAllocateOption: 'AUTO_ONLY',
        sourceSubnetworkIpRangesToNat: 'LIST_OF_SUBNETWORKS',
        subnetworks: [{ name: SUBNET, sourceIpRangesToNat: ['ALL_IP_RANGES'] }],
      },
    ];
    await done('region', routers.insert({ ...place, routerResource: { name: 'nat', network: NETWORK, nats } }));
    const [{ nats: made = [] }] = await routers.get({ ...place, router: 'nat' });
    expect(made?.map(({ name, subnetworks }) => [name, subnetworks?.map((one) => one.name)])).toEqual([
      ['nat', [url(SUBNET)]],
    ]);
  });

  test('builds the external balancer from pool, address and rule, and keeps what is in use', async () => {
    const { addresses, pools, rules } = clients;
    await done('region', pools.insert({ ...place, targetPoolResource: { name: 'api' } }));
    await done('region', addresses.insert({ ...place, addressResource: { name: 'api' } }));
    const [{ address, addressType, status }] = await addresses.get({ ...place, address: 'api' });
    expect({ addressType, status }).toEqual({ addressType: 'EXTERNAL', status: 'RESERVED' });
    const forwardingRuleResource = {
      name: 'api',
      IPAddress: address ?? '',
      IPProtocol: 'TCP',
      portRange: '443-443',
      loadBalancingScheme: 'EXTERNAL',
      target: `${REGION}/targetPools/api`,
    };
    await done('region', rules.insert({ ...place, forwardingRuleResource }));
    const relabel = (labelFingerprint: string) =>
      rules.setLabels({
        ...place,
        resource: 'api',
        regionSetLabelsRequestResource: { labels: { 'k8s-io-cluster-name': 'demo' }, labelFingerprint },
      });
    await expect(operationOf(relabel('stale'))).rejects.toThrow('fingerprint');
    const [{ labelFingerprint }] = await rules.get({ ...place, forwardingRule: 'api' });
    await done('region', relabel(labelFingerprint ?? ''));
    expect((await rules.get({ ...place, forwardingRule: 'api' }))[0].labels).toEqual({ 'k8s-io-cluster-name': 'demo' });
    await expect(operationOf(pools.delete({ ...place, targetPool: 'api' }))).rejects.toThrow('already being used');
  });

  test('builds the internal balancer, whose service is changed only with its fingerprint', async () => {
    const { addresses, checks, rules, services } = clients;
    const healthCheckResource = { name: 'api', type: 'TCP', tcpHealthCheck: { port: 443 } };
    await done('region', checks.insert({ ...place, healthCheckResource }));
    const healthChecks = [`${REGION}/healthChecks/api`];
    const backendServiceResource = { name: 'api', loadBalancingScheme: 'INTERNAL', protocol: 'TCP', healthChecks };
    await done('region', services.insert({ ...place, backendServiceResource }));
    const drain = (fingerprint: string) =>
      services.patch({
        ...place,
        backendService: 'api',
        backendServiceResource: { connectionDraining: { drainingTimeoutSec: 30 }, fingerprint },
      });
    await expect(operationOf(drain('c3RhbGU='))).rejects.toThrow('Fingerprint either invalid');
    const [{ fingerprint }] = await services.get({ ...place, backendService: 'api' });
    await done('region', drain(fingerprint ?? ''));
    const [service] = await services.get({ ...place, backendService: 'api' });
    expect(service.connectionDraining?.drainingTimeoutSec).toBe(30);
    const addressResource = {
      name: 'api-inside',
      addressType: 'INTERNAL',
      purpose: 'SHARED_LOADBALANCER_VIP',
      subnetwork: SUBNET,
    };
    await done('region', addresses.insert({ ...place, addressResource }));
    const [{ address }] = await addresses.get({ ...place, address: 'api-inside' });
    for (const [name, port] of Object.entries({ 'api-inside': '443', 'kops-controller-inside': '3988' })) {
      const forwardingRuleResource = {
        name,
        IPAddress: address ?? '',
        IPProtocol: 'TCP',
        ports: [port],
        loadBalancingScheme: 'INTERNAL',
        network: NETWORK,
        subnetwork: SUBNET,
        backendService: `${REGION}/backendServices/api`,
      };
      await done('region', rules.insert({ ...place, forwardingRuleResource }));
    }
    const inUse = services.delete({ ...place, backendService: 'api' });
    await expect(operationOf(inUse)).rejects.toThrow('already being used');
  });

  test('leaves nothing behind once it has deleted all', async () => {
    const { addresses, checks, firewalls, networks, pools, routers, rules, services, subnetworks } = clients;
    for (const forwardingRule of ['api', 'api-inside', 'kops-controller-inside']) {
      await done('region', rules.delete({ ...place, forwardingRule }));
    }
    for (const address of ['api', 'api-inside']) await done('region', addresses.delete({ ...place, address }));
    await done('region', pools.delete({ ...place, targetPool: 'api' }));
    await done('region', services.delete({ ...place, backendService: 'api' }));
    await done('region', checks.delete({ ...place, healthCheck: 'api' }));
    await done('region', routers.delete({ ...place, router: 'nat' }));
    await done('global', firewalls.delete({ project, firewall: 'ssh' }));
    await done('region', subnetworks.delete({ ...place, subnetwork: 'sub' }));
    await done('global', networks.delete({ project, network: 'net' }));
    expect([...google.compute.resources.keys()]).toEqual([]);
  });
});
