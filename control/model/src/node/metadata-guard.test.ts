import { awsModelCloud } from '@kopsctl/clouds/aws/control/model/model-cloud.ts';
import { gceModelCloud } from '@kopsctl/clouds/gce/control/model/model-cloud.ts';
import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import { refsIn } from '@kopsctl/tasks/references.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { describe, expect, test } from 'vitest';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import type { MetadataService } from '../cluster-facts.ts';
import { buildNodePlan } from './node-plan.ts';

/** The plans of a control plane and of a worker, with this metadata service, whose answers may pass so many hops. */
function plans(metadata: MetadataService, httpPutResponseHopLimit = 1): readonly NodePlan[] {
  const { cluster, instanceGroups } = completedCluster();
  const cloud = { ...localModelCloud, metadata };
  const allowed = instanceGroups.map((group) => ({
    ...group,
    spec: { ...group.spec, instanceMetadata: { httpPutResponseHopLimit } },
  }));
  return allowed.map((instanceGroup) =>
    buildNodePlan({ cloud, cluster, instanceGroup, nodeStoreUrl: 'http://state' }, ASSETS, ['http://assets']),
  );
}

function script(plan: NodePlan | undefined): string {
  const content = plan?.tasks.find((task) => taskId(task) === 'File/opt/kops/bin/metadata-guard')?.props['content'];
  const text = isRecord(content) ? content['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

test('pods may ask the metadata service of a group whose answers may pass two hops; the authority may not', () => {
  const [controlPlane, worker] = plans(awsModelCloud.metadata, 2).map(script);
  for (const text of [controlPlane, worker]) {
    expect(text).not.toContain('-I PREROUTING');
    expect(text).toContain('iptables -w -t raw -D PREROUTING -d 169.254.169.254 -j KOPS-METADATA 2>/dev/null || true');
  }
  expect(controlPlane).toContain('-I OUTPUT -d 169.254.169.254 -m owner --uid-owner kops-node-authority');
});

const needsOf = (plan: NodePlan | undefined, id: string): readonly string[] =>
  plan?.tasks.filter((task) => taskId(task) === id).flatMap(({ props }) => refsIn(props).map(({ ref }) => ref)) ?? [];

const CLOUDS = [
  ['AWS', awsModelCloud.metadata],
  ['GCE', gceModelCloud.metadata],
  ['the local cloud', localModelCloud.metadata],
] as const;

describe.each(CLOUDS)('the metadata service of %s', (_, metadata) => {
  const [controlPlane, worker] = plans(metadata).map(script);

  test('is out of reach for pods, on every machine', () => {
    for (const text of [controlPlane, worker]) {
      expect(text).toContain(`iptables -w -t raw -I PREROUTING -d ${metadata.ipv4} -j KOPS-METADATA`);
    }
  });

  test('is out of reach for the user of the authority, by each of its addresses', () => {
    for (const [program, address] of [
      ['iptables', metadata.ipv4],
      ['ip6tables', metadata.ipv6],
    ] as const) {
      if (address === undefined) continue;
      expect(controlPlane).toContain(
        `\n${program} -w -t raw -C OUTPUT -d ${address} -m owner --uid-owner kops-node-authority -j KOPS-METADATA 2>/dev/null || ` +
          `${program} -w -t raw -I OUTPUT -d ${address} -m owner --uid-owner kops-node-authority -j KOPS-METADATA\n`,
      );
    }
  });

  test('is out of reach for nobody else of the machine: no rule for what it sends names anything but that user', () => {
    expect(controlPlane?.split('\n').filter((line) => / OUTPUT (?!-d \S+ -m owner --uid-owner)/.test(line))).toEqual(
      [],
    );
    expect(worker).not.toContain('OUTPUT');
  });
});

test('names are still looked up where the metadata service is the DNS server', () => {
  const [controlPlane = ''] = plans(gceModelCloud.metadata).map(script);
  const [dns, drop] = ['-A KOPS-METADATA -p udp --dport 53 -j RETURN', '-A KOPS-METADATA -j DROP'];
  expect(controlPlane.indexOf(dns)).toBeGreaterThan(0);
  expect(controlPlane.indexOf(drop)).toBeGreaterThan(controlPlane.indexOf(dns));
});

test('a kernel without IPv6 runs none of its rules', () => {
  const [controlPlane] = plans(awsModelCloud.metadata).map(script);
  expect(controlPlane).toMatch(/\nif \[ -e \/proc\/net\/if_inet6 \]; then\nip6tables-restore [^]*\nfi\n$/);
});

test('the rules come after the user that they name, and the authority after the rules', () => {
  const [controlPlane, worker] = plans(localModelCloud.metadata);
  expect(needsOf(controlPlane, 'Service/metadata-guard.service')).toContain('User/kops-node-authority');
  expect(needsOf(controlPlane, 'Service/node-authority.service')).toContain('Service/metadata-guard.service');
  expect(needsOf(worker, 'Service/metadata-guard.service')).not.toContain('User/kops-node-authority');
});

test('protokube of a control plane serves the authority, whose user is there by then, and the authority has no store', () => {
  const [controlPlane, worker] = plans(localModelCloud.metadata);
  expect(needsOf(controlPlane, 'Service/protokube.service')).toContain('User/kops-node-authority');
  const config = (plan: NodePlan | undefined, agent: string): string =>
    JSON.stringify(plan?.tasks.find((task) => taskId(task) === `File/etc/kops/${agent}.json`)?.props);
  expect(config(controlPlane, 'protokube')).toContain('/run/kops-authority/broker.sock');
  expect(config(controlPlane, 'node-authority')).toContain('/run/kops-authority/broker.sock');
  expect(config(controlPlane, 'node-authority')).not.toContain('http://state');
  expect(config(worker, 'protokube')).not.toContain('broker');
});
