import { describe, expect, test } from 'vitest';

import { etcdManagerUnit } from './etcd-manager.service.ts';
import { nodeAuthorityUnit } from './node-authority.service.ts';
import { nodeupAdoptUnit } from './nodeup-adopt.service.ts';
import { checkEnvironment, nodeupCheckTimer, nodeupCheckUnit } from './nodeup-check.service.ts';
import { nodeupUnit } from './nodeup.service.ts';
import { protokubeUnit } from './protokube.service.ts';

const AGENTS = [
  ['protokube', protokubeUnit()],
  ['etcd-manager', etcdManagerUnit([1024, 1024])],
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

test('etcd-manager has room for a temporary etcd of each cluster', () => {
  expect(etcdManagerUnit([1000, 2000])).toContain(`\nMemoryMax=${512 * 1024 ** 2 + 3000}\n`);
});

test('protokube may mount, set routes and give files their owners, and etcd-manager none of these', () => {
  expect(protokubeUnit()).toMatch(/^CapabilityBoundingSet=CAP_CHOWN .*CAP_NET_ADMIN CAP_SYS_ADMIN$/m);
  expect(protokubeUnit()).not.toMatch(/^SystemCallFilter=.*@(mount|privileged)/m);
  expect(etcdManagerUnit([])).toMatch(/^CapabilityBoundingSet=$/m);
  expect(etcdManagerUnit([])).toMatch(/^SystemCallFilter=~.*@mount .*@privileged/m);
});

describe('node-authority.service', () => {
  test('has no credentials in its environment, no capability, and root never', () => {
    expect(nodeAuthorityUnit()).not.toMatch(/^(PassEnvironment|Environment|EnvironmentFile|LoadCredential)/m);
    expect(nodeAuthorityUnit()).toMatch(/^CapabilityBoundingSet=$/m);
    expect(nodeAuthorityUnit()).toMatch(/^User=kops-node-authority$/m);
  });

  test('sees neither what etcd, kubelet and nodeup keep nor the manifests of static pods, and writes nowhere', () => {
    expect(nodeAuthorityUnit()).toMatch(
      /^InaccessiblePaths=-\/boot -\/etc\/kubernetes -\/mnt -\/var\/lib -\/var\/log$/m,
    );
    expect(nodeAuthorityUnit()).toMatch(/^ReadWritePaths=$/m);
  });

  test('runs only while the packet rules keep it from the metadata service', () => {
    expect(nodeAuthorityUnit()).toMatch(/^Requires=metadata-guard\.service\nAfter=metadata-guard\.service$/m);
  });
});

describe('nodeup.service', () => {
  test('leaves what it starts free to mount, to load modules and to set IDs, as scripts of packages do', () => {
    expect(nodeupUnit()).not.toMatch(
      /^(NoNewPrivileges|RestrictSUIDSGID|UMask|Private|Protect)|@mount|@module|@chown/m,
    );
  });

  test('converges once per boot and retries until it succeeds', () => {
    expect(nodeupUnit()).toMatch(/Type=oneshot\nRemainAfterExit=yes/);
    expect(nodeupUnit()).toContain('\nRestart=on-failure\n');
    expect(nodeupUnit()).toContain('\nWantedBy=multi-user.target\n');
  });

  test('is not ordered after cloud-init, which starts it', () => {
    expect(nodeupUnit()).not.toContain('cloud');
  });
});

describe('nodeup-check.service', () => {
  test('repairs only where that was asked for', () => {
    expect(nodeupCheckUnit()).toMatch(/^ExecStart=\S+nodeup --check \$NODEUP_CHECK_FLAGS --config /m);
    expect(checkEnvironment({ repairs: false })).toBe('NODEUP_CHECK_FLAGS=\n');
    expect(checkEnvironment({ repairs: true })).toBe('NODEUP_CHECK_FLAGS=--repair\n');
  });

  test('waits for nodeup, and is not started beside it at every boot', () => {
    expect(nodeupCheckUnit()).toContain('\nAfter=nodeup.service\n');
    expect(nodeupCheckUnit()).not.toContain('WantedBy');
  });

  test('is started by its timer, not by all machines at once', () => {
    expect(nodeupCheckTimer()).toMatch(/^Unit=nodeup-check\.service\n(.*\n)*RandomizedDelaySec=2min$/m);
  });
});

test('nodeup carries another plan out only after it was adopted', () => {
  expect(nodeupAdoptUnit()).toMatch(/^ExecStart=\S+nodeup --adopt %i .*\nExecStartPost=.* restart nodeup\.service$/m);
});
