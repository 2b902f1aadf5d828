import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { casesOf, isLong, often } from '@kopsctl/test-suite/long.ts';
import { clusterIn, type GoogleAccount, openGoogleAccount } from './google-account.ts';
import { serveService } from './google-service-balancers.ts';
import { generator } from './seeded.ts';

/** In the middle of an update. Clients wait 20 seconds for it. */
const SILENT_REQUEST = 40;

describe('a cluster in GCE', () => {
  let account: GoogleAccount;

  beforeEach(async () => {
    account = await openGoogleAccount();
  });
  // Every request and every answer has to be of the form that Google publishes.
  afterEach(async () => {
    await account.close();
    deepEqual(account.google.violations, []);
  });

  const create = (name: string, change?: (text: string) => string) => account.create(name, change);
  const succeeds = (...argv: readonly string[]) => account.succeeds(...argv);

  const outside = (text: string): string =>
    text.replace('api:\n    dns: {}\n', 'api:\n    loadBalancer: { type: Public }\n');

  const unchanged = (text: string): string => text;
  const applied = casesOf(
    [
      ['minimal_gce', 'with a load balancer outside', outside],
      ['ha_gce', 'as it is', unchanged],
    ] as const,
    [
      ['minimal_gce', 'as it is', unchanged],
      ['minimal_gce_private', 'as it is', unchanged],
      ['minimal_gce_dns-none', 'as it is', unchanged],
    ] as const,
  );

  test.each(applied)(
    '%s %s: is shown, applied, needs no second change, changes only what the spec changes, and is deleted completely',
    async (name, _, change) => {
      // A name of somebody else, in the same domain.
      account.google.dns.zones[0]?.rrsets.push({
        name: 'www.example.com.',
        type: 'A',
        ttl: 60,
        rrdatas: ['192.0.2.8'],
      });
      const before = account.remains();
      const cluster = await create(name, change);
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

      if (change === unchanged) serveService(account.google.compute, cluster);
      const hasNames = name !== 'minimal_gce_dns-none';
      // Without names, nobody needs Cloud DNS.
      if (hasNames) await account.publishNames(cluster);
      account.google.dns.isOff = !hasNames;
      // The answer to the first deletion of a name is lost.
      account.google.onChange(() => {
        const deletions = account.google.changes.filter((change) => change === 'dns.changes.create');
        if (deletions.length === 1 && account.google.changes.at(-1) === deletions[0]) account.google.loseAnswers(1);
      });
      await succeeds('delete', 'cluster', cluster, '--yes');
      expect(account.remains()).toEqual(before);
    },
  );

  test('with a label that Google refuses is not begun, and written for Terraform with a warning', async () => {
    const cluster = await create('minimal_gce', (text) => text.replace('test-cloud-label:', 'testCloudLabel:'));
    const where = /spec\.cloudLabels\.testCloudLabel: Google does not accept the label 'testCloudLabel'/;
    for (const more of [[], ['--yes']]) {
      const refused = await account.kopsctl(['update', 'cluster', cluster, ...more]);
      expect(refused.exitCode).not.toBe(0);
      expect(refused.stderr).toMatch(where);
    }
    expect(account.google.changes).toEqual([]);
    expect(account.remains()).toEqual([]);
    const out = account.write('terraform', '') + '.d';
    const written = await account.kopsctl(['update', 'cluster', cluster, '--target', 'terraform', '--out', out]);
    expect(written).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(where) });
  });

  test('is not begun where every program of the project could read its keys', async () => {
    const cluster = await create('minimal_gce_dns-none');
    account.google.policies.buckets.set('kops-state', { isUniform: false });
    // Files for Terraform do not have the keys, but the store would get them at once.
    const forTerraform = ['--target', 'terraform', '--out', `${account.write('terraform', '')}.d`];
    for (const more of [['--yes'], forTerraform]) {
      const refused = await account.kopsctl(['update', 'cluster', cluster, ...more]);
      expect(refused.exitCode).not.toBe(0);
      expect(refused.stderr).toContain('its objects have access control lists of their own');
    }
    expect(await account.stored(`${cluster}/pki/private/kubernetes-ca/keyset.yaml`)).toBeUndefined();
    expect(account.google.changes).toEqual([]);
  });

  test('says of a group that lacks machines why Google makes no more', async () => {
    const cluster = await create('minimal_gce_private');
    await succeeds('update', 'cluster', cluster, '--yes');
    account.google.compute.isQuotaExceeded = true;
    const size = ['--set', 'spec.minSize=7', '--set', 'spec.maxSize=7'];
    await succeeds('edit', 'instancegroup', 'nodes', '--name', cluster, ...size);
    await succeeds('update', 'cluster', cluster, '--yes');
    const told = await succeeds('explain', 'node', 'nodes', '--name', cluster);
    expect(told).toMatch(/^InstanceGroup nodes: \d of 7 machines\n/);
    expect(told).toContain(
      'the cloud lacks capacity for the machine, or a quota is exhausted\n  QUOTA_EXCEEDED: Quota',
    );
  });

  test('is created once on a bad day of Google', async () => {
    const cluster = await create('minimal_gce_dns-none');
    await succeeds('update', 'cluster', cluster, '--yes');
    const clean = account.remains();
    await succeeds('delete', 'cluster', cluster, '--yes');
    expect(account.remains()).toEqual([]);

    const again = await create('minimal_gce_dns-none');
    account.google.misbehave(20_261_124, SILENT_REQUEST);
    await succeeds('update', 'cluster', again, '--yes');
    account.google.behave();
    expect(Object.values(account.google.faults).every((count) => count > 0)).toBe(true);
    expect(namesIn(account.remains())).toEqual(namesIn(clean));
    expect(await succeeds('update', 'cluster', again)).toContain('No changes');

    account.google.misbehave(20_261_125);
    await succeeds('delete', 'cluster', again, '--yes');
    expect(account.remains()).toEqual([]);
  });

  test('resumes wherever a run was killed, and makes what a clean run makes', async () => {
    const name = 'minimal_gce_dns-none';
    const cluster = await create(name);
    account.google.changes.length = 0;
    await succeeds('update', 'cluster', cluster, '--yes');
    const [clean, changes] = [namesIn(account.remains()), account.google.changes.length];
    account.google.changes.length = 0;
    await succeeds('delete', 'cluster', cluster, '--yes');
    const deletions = account.google.changes.length;

    const random = generator(20_261_126);
    for (let round = 1; round <= often(1, changes - 1); round += 1) {
      const at = (last: number): number => (isLong ? 1 + (round % (last - 1)) : 1 + Math.floor(random() * (last - 1)));
      await create(name);
      await account.makeUpHashes(cluster);
      const killedAt = at(changes);
      expect(await account.killedAfter(killedAt, ['update', 'cluster', cluster, '--yes']), `${killedAt}`).toBe(true);
      await succeeds('update', 'cluster', cluster, '--yes');
      expect(namesIn(account.remains()), `killed after ${killedAt} changes`).toEqual(clean);
      expect(await succeeds('update', 'cluster', cluster)).toContain('No changes');

      const stoppedAt = at(deletions);
      expect(await account.killedAfter(stoppedAt, ['delete', 'cluster', cluster, '--yes']), `${stoppedAt}`).toBe(true);
      await succeeds('delete', 'cluster', cluster, '--yes');
      expect(account.remains(), `killed after ${stoppedAt} deletions`).toEqual([]);
    }
  });

  /** What CI also asks of AWS: the handlers differ, and what calls them does not. */
  const further = casesOf([], ['minimal_gce_dns-none']);

  test.each(further)('%s: is created phase by phase', async (name) => {
    const cluster = await create(name);
    const early = await account.kopsctl(['update', 'cluster', cluster, '--phase', 'security', '--yes']);
    expect(early).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('differs from the spec') });
    for (const phase of ['network', 'security', 'cluster']) {
      await succeeds('update', 'cluster', cluster, '--phase', phase, '--yes');
    }
    expect(await succeeds('update', 'cluster', cluster)).toContain('No changes');
    await succeeds('delete', 'cluster', cluster, '--yes');
    expect(account.remains()).toEqual([]);
  });

  test.each(further)(
    '%s: keeps what was removed from the spec until it is pruned, and prunes nothing that the cluster made',
    async (name) => {
      const spec = account.spec(name);
      const text = readFileSync(spec, 'utf8');
      const nodes = text.split(/^---$/m).find((part) => / {2}role: Node/.test(part)) ?? '';
      const cluster = await create(name);
      await succeeds('update', 'cluster', cluster, '--yes');
      serveService(account.google.compute, cluster);
      const before = account.remains().toSorted();

      await succeeds('create', '-f', account.write('extra.yaml', nodes.replace(/name: nodes$/m, 'name: extra')));
      await succeeds('update', 'cluster', cluster, '--yes');
      expect(account.remains().toSorted()).not.toEqual(before);
      await succeeds('delete', 'instancegroup', 'extra', '--name', cluster, '--yes');
      expect(await succeeds('update', 'cluster', cluster)).toContain(
        'No longer wanted, kept unless pruning is asked for',
      );
      await succeeds('update', 'cluster', cluster, '--prune', '--yes');
      expect(account.remains().toSorted()).toEqual(before);
      await succeeds('delete', 'cluster', cluster, '--yes');
      expect(account.remains()).toEqual([]);
    },
  );

  test.each(further)('%s: one of two operators wins, and the other hears of it', async (name) => {
    const cluster = await create(name);
    await account.makeUpHashes(cluster);
    const update = () => account.kopsctl(['update', 'cluster', cluster, '--yes']);
    const [won, lost] = (await Promise.all([update(), update()])).toSorted((a, b) => a.exitCode - b.exitCode);
    expect([won?.exitCode, lost?.exitCode]).toEqual([0, 1]);
    expect(lost?.stderr).toMatch(/process \d+.*(?:since|for)/s);
    expect(await succeeds('update', 'cluster', cluster)).toContain('No changes');
  });

  test('whose keysets a key of Cloud KMS seals gives control planes the right to open them, and takes it back', async () => {
    const key = 'projects/testproject/locations/us-test1/keyRings/kops/cryptoKeys/state';
    account.google.keys.make(key);
    const before = account.remains();
    const spec = account.spec('minimal_gce_dns-none');
    const cluster = clusterIn(readFileSync(spec, 'utf8'));
    await succeeds('create', '-f', spec);
    // This process has no credentials for the key.
    await account.makeUpHashes(cluster);
    account.annotate(spec, 'kopsctl.io/state-key', key);
    await succeeds('replace', '-f', spec);
    await succeeds('update', 'cluster', cluster, '--yes');
    expect(await succeeds('update', 'cluster', cluster)).toContain('No changes');

    const keyset = await account.stored(`${cluster}/pki/private/kubernetes-ca/keyset.yaml`);
    expect(JSON.parse(keyset ?? '')).toMatchObject({ format: 'kopsctl.io/envelope/v1', key });
    const opens = account.remains().filter((one) => one.endsWith('in keys/us-test1/kops/state'));
    expect(opens).toEqual([
      expect.stringMatching(/^roles\/cloudkms\.cryptoKeyDecrypter of serviceAccount:control-plane-/),
    ]);

    await succeeds('delete', 'cluster', cluster, '--yes');
    expect(account.remains()).toEqual(before);
  });

  test('publishes the keys of its issuer, which outlive it', async () => {
    const name = clusterIn(readFileSync(account.spec('minimal_gce_dns-none'), 'utf8'));
    const store = `gs://issuer/${name}`;
    const published = (text: string): string =>
      text.replace('\nspec:\n', `\nspec:\n  serviceAccountIssuerDiscovery: { discoveryStore: ${store} }\n`);
    account.google.policies.buckets.set('issuer', { isUniform: true });
    const cluster = await create('minimal_gce_dns-none', published);

    const refused = await account.kopsctl(['update', 'cluster', cluster, '--yes']);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain('gcloud storage buckets add-iam-policy-binding gs://issuer --member=allUsers');
    expect(account.google.objects.stored.size).toBe(0);

    account.google.policies.buckets.set('issuer', { isUniform: false });
    await succeeds('update', 'cluster', cluster, '--yes');
    const objects = account.google.objects.stored;
    expect([...objects.keys()].toSorted()).toEqual([
      `issuer/${name}/.well-known/openid-configuration`,
      `issuer/${name}/openid/v1/jwks`,
    ]);
    const [discovery, keys] = [...objects.values()].map(({ content }) => JSON.parse(content.text));
    const issuer = `https://storage.googleapis.com/issuer/${name}`;
    expect([discovery, keys]).toContainEqual(expect.objectContaining({ issuer }));
    expect([discovery, keys]).toContainEqual({ keys: [expect.objectContaining({ use: 'sig' })] });
    expect(await succeeds('update', 'cluster', cluster)).toContain('No changes');

    await succeeds('delete', 'cluster', cluster, '--yes');
    expect(account.remains()).toEqual([]);
    expect(account.google.objects.stored.size).toBe(2);
  });

  test('keeps the members of roles that others have given', async () => {
    const others = [{ role: 'roles/storage.objectViewer', members: ['user:auditor@example.com'] }];
    for (const owner of ['projects/testproject', 'buckets/kops-state']) {
      account.google.policies.policies.set(owner, { version: 3, bindings: others, etag: 'first' });
    }
    const before = account.remains();
    // Accounts of other clusters stay as they are, and become members of nothing.
    const cluster = await create('minimal_gce_dns-none');
    await succeeds('update', 'cluster', cluster, '--yes');
    expect(account.remains()).toEqual(expect.arrayContaining([...before]));
    expect(account.remains()).toContainEqual(expect.stringMatching(/ of serviceAccount:.* in projects\/testproject$/));
    expect(account.remains()).toContainEqual(expect.stringMatching(/ of serviceAccount:.* in buckets\/kops-state$/));
    await succeeds('delete', 'cluster', cluster, '--yes');
    expect(account.remains()).toEqual(before);
  });
});

/** Without the ends of names that differ each time: those of machines, and the hashes of templates with new CAs. */
const namesIn = (remains: readonly string[]): readonly string[] =>
  remains.map((one) => one.replace(/(\/instance(?:s|Templates)\/.*)-[^-]+$/, '$1')).toSorted();
