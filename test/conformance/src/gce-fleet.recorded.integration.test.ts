import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gceFleet } from '@kopsctl/clouds/gce/control/fleet/fleet-gce.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type GoogleAccount, openGoogleAccount } from './google-account.ts';
import type { Resource } from './google-defaults.ts';

/** Without it vitest waits for a second, which a busy computer may need for one look. */
const WAIT = { timeout: 30_000 };

const outside = (text: string): string =>
  text.replace('api:\n    dns: {}\n', 'api:\n    loadBalancer: { type: Public }\n');

describe('the machines of a cluster in GCE', () => {
  let account: GoogleAccount;
  beforeEach(async () => {
    account = await openGoogleAccount();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await account.close();
    deepEqual(account.google.violations, []);
  });

  const inCollection = (collection: string): readonly (readonly [path: string, resource: Resource])[] =>
    [...account.google.compute.resources].filter(([path]) => path.includes(`/${collection}/`));
  const namesIn = (collection: string) => inCollection(collection).map(([path]) => path.split('/').at(-1) ?? '');
  /** Google's numbers of the machines, by their names. */
  const machines = () => new Map(inCollection('instances').map(([path, { id }]) => [path.split('/').at(-1), id]));
  const inPool = () =>
    inCollection('targetPools').flatMap(([, { instances = [] }]) =>
      (instances as readonly string[]).map((url) => url.split('/').at(-1)),
    );
  const resize = (cluster: string, group: string, machineType: string) =>
    account.succeeds('edit', 'instancegroup', group, '--name', cluster, '--set', `spec.machineType=${machineType}`);

  test('are replaced under their names by their groups, which leave no template that nothing uses', async () => {
    const cluster = await account.create('minimal_gce', outside);
    await account.succeeds('update', 'cluster', cluster, '--yes');
    const before = machines();
    const templates = namesIn('instanceTemplates');
    const masters = [...before.keys()].filter((name) => name?.startsWith('master'));
    expect(inPool()).toEqual(masters);
    expect(await account.succeeds('rolling-update', 'cluster', cluster, '--cloudonly')).not.toContain('NeedsUpdate');

    await resize(cluster, 'master-us-test1-a', 'e2-standard-2');
    await resize(cluster, 'nodes', 'e2-standard-4');
    const { stderr: planned } = await account.kopsctl(['update', 'cluster', cluster]);
    expect(planned).toContain(`${before.size} of ${before.size} machines then run an older plan:`);
    await account.succeeds('update', 'cluster', cluster, '--yes');
    const between = namesIn('instanceTemplates');
    expect(between).toEqual(expect.arrayContaining(templates));
    expect(between).toHaveLength(4);
    await resize(cluster, 'nodes', 'e2-standard-8');
    await account.succeeds('update', 'cluster', cluster, '--yes');
    // No machine was made from the template in between.
    expect(namesIn('instanceTemplates')).toHaveLength(4);
    expect(machines()).toEqual(before);

    account.google.changes.length = 0;
    await account.succeeds('rolling-update', 'cluster', cluster, '--cloudonly', '--yes');
    const after = machines();
    expect(new Set(after.keys())).toEqual(new Set(before.keys()));
    expect([...after.values()].filter((id) => [...before.values()].includes(id))).toEqual([]);
    expect(inPool()).toEqual(masters);
    expect(account.google.changes).toContain('compute.targetPools.removeInstance');
    const left = namesIn('instanceTemplates');
    expect(left).toHaveLength(2);
    expect(left.filter((name) => templates.includes(name))).toEqual([]);
    expect(await account.succeeds('update', 'cluster', cluster)).toContain('No changes');

    const [master] = masters;
    const shown = await account.kopsctl([
      'delete',
      'instance',
      `us-test1-a/${master}`,
      '--name',
      cluster,
      '--cloudonly',
    ]);
    expect(shown).toMatchObject({ exitCode: 0 });
    expect(machines()).toEqual(after);
    await account.succeeds('delete', 'instance', `us-test1-a/${master}`, '--name', cluster, '--cloudonly', '--yes');
    await vi.waitFor(async () => {
      await account.succeeds('get', 'instances', cluster);
      expect(machines().get(master)).toBeDefined();
      expect(machines().get(master)).not.toBe(after.get(master));
    }, WAIT);
  });

  test('leave their target pools, and come back', async () => {
    const cluster = await account.create('minimal_gce', outside);
    await account.succeeds('update', 'cluster', cluster, '--yes');
    for (const [name, value] of Object.entries(account.env)) vi.stubEnv(name, value);
    const fleet = gceFleet(completedIn(account.spec('minimal_gce', outside)));
    const signal = new AbortController().signal;
    const machine = (await fleet.groups(signal)).find(({ role }) => role === 'ControlPlane')?.machines[0];
    if (machine === undefined) throw new Error('there is no control plane');
    expect(machine.isCurrent).toBe(true);
    await fleet.deregister(machine, signal);
    await fleet.deregister(machine, signal);
    expect(inPool()).toEqual([]);
    await fleet.register(machine, signal);
    expect(inPool().map((name) => `us-test1-a/${name}`)).toEqual([machine.name]);
  });

  test('that kops has made are taken over, replaced, and given back to kops', async () => {
    const cluster = await account.create('minimal_gce_private');
    await account.succeeds('update', 'cluster', cluster, '--yes');
    const ours = inCollection('instances').map(([path]) => path.replace(/.*\/zones\/(.*)\/instances\//, '$1/'));
    becomeOfKops(account);
    await account.store(`${cluster}/kops-version.txt`, '1.33.0');

    await account.succeeds('adopt', cluster, '--yes');
    await account.succeeds('rolling-update', 'cluster', cluster, '--cloudonly', '--yes');
    const shown = JSON.parse(await account.succeeds('give-back', cluster, '-o', 'json'));
    expect(shown).toMatchObject({ isCleared: false, made: { groups: ['master-us-test1-a', 'nodes'] } });
    expect(shown.made.machines.toSorted()).toEqual(ours.toSorted());

    await account.succeeds('give-back', cluster, '--yes');
    becomeOfKops(account);
    const unrolled = JSON.parse(await account.succeeds('give-back', cluster, '-o', 'json'));
    expect(unrolled).toMatchObject({ isCleared: true, made: { groups: [], machines: [] } });
    expect((await account.kopsctl(['give-back', cluster, '--yes'])).stderr).toContain('belongs to kops');
  });
});

/** Templates of kops in the place of those of kopsctl: their machines start kops's nodeup (kops pkg/model/bootstrapscript.go). */
function becomeOfKops({ google }: GoogleAccount): void {
  for (const [path, template] of Array.from(google.compute.resources)) {
    if (!path.includes('/instanceTemplates/')) continue;
    const properties = template['properties'] as Resource;
    const { items } = properties['metadata'] as { readonly items: readonly { readonly key: string }[] };
    const kept = items.filter(({ key }) => key !== 'user-data');
    const script = { key: 'user-data', value: '#!/bin/bash\nNODEUP_URL_AMD64=https://artifacts.k8s.io/nodeup\n' };
    // kops names them by the time.
    const name = path.replace(/.*\/(.*)-[^-]+$/, '$1-1758000000');
    google.compute.replaceTemplate(path, name, { ...properties, metadata: { items: [...kept, script] } });
  }
}

function completedIn(spec: string): Completed {
  const [cluster, ...instanceGroups] = parseAllDocuments(readFileSync(spec, 'utf8')).map((one) => one.toJS());
  // The fleet reads no more of it.
  return {
    cluster,
    instanceGroups,
    origins: new Map(),
    withoutValue: { cluster: {}, instanceGroups: {} },
  } as unknown as Completed;
}
