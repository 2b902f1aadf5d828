import { expect, test } from 'vitest';

import { runLine } from '@kopsctl/cli/testing/run-line.ts';

import { buildSite } from './build-site.ts';
import { deadLinks } from './check-links.ts';

test('the site has the documents, every command and every field, and no link leads nowhere', async () => {
  const site = await buildSite();
  expect(deadLinks(site)).toEqual([]);
  expect(site.get('commands.html')).toContain('<h2 id="rolling-update-cluster">kopsctl rolling-update cluster</h2>');
  expect(site.get('commands.html')).toContain('kopsctl verify ./kopsctl-linux-amd64 --key release-key.pub');
  expect(site.get('fields-cluster.html')).toContain('<tr id="spec.subnets.cidr">');
  expect(site.get('fields-cluster.html')).toContain('By default <code>&quot;cluster.local&quot;</code>.');
  expect(site.get('docs/clouds.html')).toContain('<h2 id="how-to-add-a-cloud">');
  expect(site.get('index.html')).toContain('<a href="docs/');
});

test('the command that a page of fields names explains a field of it', async () => {
  const site = await buildSite();
  const pages = [...site].filter(([file]) => /^fields-.*\.html$/.test(file));
  expect(pages.length).toBeGreaterThan(4);
  for (const [, page] of pages) {
    const [, command = ''] = /<code>(kopsctl explain [^<]*)<\/code>/.exec(page) ?? [];
    const fields = [...page.matchAll(/<tr id="([^"]*)"/g)].map(([, field = '']) => field);
    const field = fields.at(-1) ?? '';
    const { code, stdout } = await runLine(command.replace('FIELD', field), {});
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(field) });
  }
});
