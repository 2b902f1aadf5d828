import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type GoogleAccount, openGoogleAccount } from './google-account.ts';

describe('a cluster in GCE', () => {
  let account: GoogleAccount;

  beforeEach(async () => {
    account = await openGoogleAccount();
  });
  // Every request and every answer has to be of the form that Google publishes.
  afterEach(async () => {
    await account.close();
    expect(account.google.violations).toEqual([]);
  });

  const nameIn = (spec: string) =>
    /kind: Cluster\nmetadata:[\s\S]*?\n {2}name: (\S+)/.exec(readFileSync(spec, 'utf8'))?.[1] ?? '';

  async function create(name: string): Promise<string> {
    const spec = account.spec(name);
    expect(await account.kopsctl(['create', '-f', spec])).toMatchObject({ exitCode: 0 });
    return nameIn(spec);
  }
  const succeeds = async (...argv: readonly string[]) => {
    const ended = await account.kopsctl(argv);
    expect(ended.exitCode, `${ended.stdout}\n${ended.stderr}`).toBe(0);
    return ended.stdout;
  };

  test.each(['minimal_gce', 'ha_gce', 'minimal_gce_private', 'minimal_gce_dns-none'])(
    '%s: is shown, applied, needs no second change, changes only what the spec changes, and is deleted completely',
    { timeout: 180_000 },
    async (name) => {
      const before = account.remains();
      const cluster = await create(name);
      await succeeds('update', 'cluster', cluster);
      expect(account.google.changes).toEqual([]);

      await succeeds('update', 'cluster', cluster, '--yes');
      expect(await succeeds('update', 'cluster', cluster)).toContain('No changes');

      const size = ['--set', 'spec.minSize=7', '--set', 'spec.maxSize=7'];
      await succeeds('edit', 'instancegroup', 'nodes', '--name', cluster, ...size);
      account.google.changes.length = 0;
      await succeeds('update', 'cluster', cluster, '--yes');
      expect([...new Set(account.google.changes)]).toEqual(['compute.instanceGroupManagers.resize']);
      expect(await succeeds('update', 'cluster', cluster)).toContain('No changes');

      await succeeds('delete', 'cluster', cluster, '--yes');
      expect(account.remains()).toEqual(before);
    },
  );
});
