import { expect, test } from 'vitest';

import { buildSite } from './build-site.ts';
import { deadLinks } from './check-links.ts';

test('the site has the documents, every command and every field, and no link leads nowhere', async () => {
  const site = await buildSite();
  expect(deadLinks(site)).toEqual([]);
  expect(site.get('commands.html')).toContain('<h2 id="rolling-update-cluster">kopsctl rolling-update cluster</h2>');
  expect(site.get('commands.html')).toContain('kopsctl verify ./kopsctl-linux-amd64 --key release-key.pub');
  expect(site.get('fields-cluster.html')).toContain('<tr id="spec.subnets.cidr">');
  expect(site.get('docs/clouds.html')).toContain('<h2 id="how-to-add-a-cloud">');
  expect(site.get('index.html')).toContain('<a href="docs/');
});
