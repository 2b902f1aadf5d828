import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clusterIn, type GoogleAccount, openGoogleAccount } from './google-account.ts';
import type { Resource } from './google-defaults.ts';
import { golden, masked } from './kops-made.ts';
import { type Kops, openKops } from './run-kops.ts';

let kops: Kops | undefined;
beforeAll(async () => {
  kops = await openKops();
});
afterAll(() => kops?.close());

/** kops asks the DNS of this machine for the name servers of public zones, and turns taints into labels that Google refuses. */
const asKopsCan = (text: string): string =>
  text.replace(/dns:\n( +)type: Public/, 'dns:\n$1type: Private').replace(/^ {2}taints:\n(?: +- .*\n)+/gm, '');

/** All that adopting changes of what is there, as collection and field. */
const CHANGED = [
  // What kops leaves to Google's defaults is written out.
  'firewalls allowed',
  'firewalls direction',
  'firewalls disabled',
  'instanceGroupManagers instanceTemplate',
  'instanceGroupManagers targetPools',
  'instanceGroupManagers versions',
];

/** What a plan says of changes. What is no longer wanted is kept: kops grants control planes more in the bucket. */
const CHANGES = /^Will (?:create|modify|delete)/m;

/** CI has time for one of them. */
const CASES = ['minimal_gce', ...casesOf([], ['minimal_gce_private', 'minimal_gce_dns-none', 'ha_gce'])];

describe.each(CASES)('%s, which kops made in GCE', (name) => {
  let account: GoogleAccount;
  let cluster: string;
  let objects: ReadonlyMap<string, string>;
  let resources: Readonly<Record<string, Resource>>;

  beforeAll(async () => {
    account = await openGoogleAccount();
    if (kops === undefined) return;
    kops.forward(account.forwarding);
    const spec = account.spec(name, asKopsCan);
    cluster = clusterIn(readFileSync(spec, 'utf8'));
    await ofKops('create', '-f', spec);
    await ofKops('create', 'sshpublickey', cluster, '-i', `${account.folder}/key.pub`);
    await ofKops('update', 'cluster', cluster, '--yes');
    // kops does not wait until its firewall rules are there.
    const rules = account.google.changes.filter((change) => change === 'compute.firewalls.insert').length;
    await vi.waitFor(() => hasRules(rules), 600_000);
    await account.makeUpHashes(cluster);
    [objects, resources] = [await account.objects(), inCloud()];
    account.google.changes.length = 0;
  });
  afterAll(async () => {
    await account.close();
    deepEqual(account.google.violations, []);
  });

  test('is shown what changes, and why', async () => {
    if (kops === undefined) return;
    const text = masked(await account.succeeds('adopt', cluster)).replaceAll(/-\d{10}\b/g, '-<time>');
    expect(text).toBe(await golden(`gce-${name}.txt`, text));
    expect(account.google.changes).toEqual([]);
    expect(await account.objects()).toEqual(objects);
  });

  test('is adopted: what kops wrote stays, machines too, and new templates are all that is made', async () => {
    if (kops === undefined) return;
    await account.succeeds('adopt', cluster, '--yes');
    const after = inCloud();
    const made = Object.keys(after).filter((path) => resources[path] === undefined);
    expect(made.map(collectionOf)).toEqual(made.map(() => 'instanceTemplates'));
    expect(Object.keys(resources).filter((path) => after[path] === undefined)).toEqual([]);
    const changed = Object.entries(resources).flatMap(([path, before]) => changesOf(path, before, after[path] ?? {}));
    expect(CHANGED).toEqual(expect.arrayContaining(changed));
    const written = await account.objects();
    expect([...objects].filter(([path, text]) => written.get(path) !== text)).toEqual([]);
    expect(await account.succeeds('update', 'cluster', cluster)).not.toMatch(CHANGES);
  });

  test('is taken back by kops, and taken again by kopsctl', async () => {
    if (kops === undefined) return;
    const adopted = await account.objects();
    await ofKops('update', 'cluster', cluster, '--yes');
    const back = await account.objects();
    expect([...adopted].filter(([path, text]) => !objects.has(path) && back.get(path) !== text)).toEqual([]);
    await account.succeeds('update', 'cluster', cluster, '--yes');
    expect(await account.succeeds('update', 'cluster', cluster)).not.toMatch(CHANGES);
    const preview = await ofKops('update', 'cluster', cluster);
    expect(preview).not.toMatch(/^Will create|will be deleted/m);
    const modified = [...preview.matchAll(/^ {2}(\w+)\/.*$/gm)].map(([, kind]) => kind);
    expect(['FirewallRule', 'InstanceGroupManager']).toEqual(expect.arrayContaining(modified));
  });

  function hasRules(count: number): void {
    const rules = Object.keys(inCloud()).filter((path) => collectionOf(path) === 'firewalls');
    expect(rules).toHaveLength(count);
  }

  async function ofKops(...argv: readonly string[]): Promise<string> {
    const ended = await kops?.run({ env: account.env }, ...argv);
    expect(ended?.exitCode, `kops ${argv.join(' ')}\n${ended?.stderr.slice(-2_000)}`).toBe(0);
    return ended?.stdout ?? '';
  }

  const inCloud = (): Readonly<Record<string, Resource>> =>
    structuredClone(Object.fromEntries(account.google.compute.resources));
});

const collectionOf = (path: string): string => path.split('/').at(-2) ?? '';

/** Fields of one resource that differ, but for what Google counts. */
function changesOf(path: string, before: Resource, after: Resource): readonly string[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => field !== 'fingerprint' && !isDeepStrictEqual(before[field], after[field]))
    .map((field) => `${collectionOf(path)} ${field}`);
}
