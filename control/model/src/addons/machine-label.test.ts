import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { bootstrapChannel } from './bootstrap-channel.ts';
import { awsFacts, GROUPS, GROUPS_WITH_GPU } from './testdata/aws-facts.ts';
import { EVERY_ADDON, NETWORKS } from './testdata/specs.ts';

interface Pods {
  readonly name: string;
  readonly usesMachine: boolean;
  readonly label: unknown;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** All pods that the addons of a cluster start. */
function podsOf(spec: ClusterSpec, groups: readonly InstanceGroup[]): readonly Pods[] {
  return bootstrapChannel(awsFacts(spec), groups, undefined).flatMap(({ props }) =>
    parseAllDocuments(textOf(props['content'])).flatMap((document) => {
      const object = document.toJS() ?? {};
      const pod = object.spec?.template?.spec;
      if (pod?.containers === undefined) return [];
      const volumes: readonly { hostPath?: unknown }[] = pod.volumes ?? [];
      const usesMachine = volumes.some(({ hostPath }) => hostPath !== undefined);
      return [
        { name: `${object.kind}/${object.metadata.name}`, usesMachine, label: pod.securityContext?.seLinuxOptions },
      ];
    }),
  );
}

const SELINUX = { containerd: { selinuxEnabled: true } };
const networks = Object.entries(NETWORKS);

test.each(networks)(
  'with SELinux and %s, pods that mount what machines have may use it, and no others',
  (_, networking) => {
    const pods = podsOf({ ...EVERY_ADDON, networking, ...SELINUX }, GROUPS_WITH_GPU);
    expect(pods.some(({ usesMachine }) => usesMachine)).toBe(true);
    for (const { name, usesMachine, label } of pods) {
      expect({ name, label }).toEqual({ name, label: usesMachine ? { level: 's0', type: 'spc_t' } : undefined });
    }
  },
);

test('pods get that label as well where only one group has SELinux, and without SELinux none does', () => {
  const labelled = (pods: readonly Pods[]) => pods.filter(({ label }) => label !== undefined).length;
  const oneGroup = GROUPS.map((group, index) =>
    index === 0 ? group : { ...group, spec: { ...group.spec, ...SELINUX } },
  );
  expect(labelled(podsOf(EVERY_ADDON, oneGroup))).toBeGreaterThan(0);
  expect(labelled(podsOf(EVERY_ADDON, GROUPS))).toBe(0);
});
