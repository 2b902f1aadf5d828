import { describe, expect, test } from 'vitest';

import { etcdManagerUnit } from './etcd-manager.service.ts';
import { nodeupUnit } from './nodeup.service.ts';
import { protokubeUnit } from './protokube.service.ts';

const AGENTS = [
  ['protokube', protokubeUnit()],
  ['etcd-manager', etcdManagerUnit()],
] as const;

describe.each(AGENTS)('%s.service', (name, unit) => {
  test('runs the agent with its configuration and restarts it whenever it exits', () => {
    expect(unit).toContain(`\nExecStart=/opt/kops/bin/${name} --config /etc/kops/${name}.json\n`);
    expect(unit).toContain('\nRestart=always\nRestartSec=2s\n');
  });

  test('shares the mount namespace of the machine', () => {
    expect(unit).not.toMatch(/^(Private|Protect|ReadOnly|ReadWrite|Inaccessible|Temporary|Bind|MountFlags)/m);
  });

  test('starts in a container that cannot lower its OOM score', () => {
    expect(unit).not.toContain('OOMScoreAdjust');
  });
});

describe('nodeup.service', () => {
  test('converges once per boot and retries until it succeeds', () => {
    expect(nodeupUnit()).toMatch(/Type=oneshot\nRemainAfterExit=yes/);
    expect(nodeupUnit()).toContain('\nRestart=on-failure\n');
    expect(nodeupUnit()).toContain('\nWantedBy=multi-user.target\n');
  });

  test('is not ordered after cloud-init, which starts it', () => {
    expect(nodeupUnit()).not.toContain('cloud');
  });
});
