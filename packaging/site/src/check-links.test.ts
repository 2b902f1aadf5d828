import { expect, test } from 'vitest';

import { deadLinks } from './check-links.ts';

const site = (body: string) =>
  new Map([
    ['index.html', body],
    ['docs/a.html', '<h1 id="top">A</h1><a href="../index.html">up</a>'],
    ['examples/a.yaml', 'kind: Cluster'],
  ]);

test.each([
  '<a href="docs/a.html">a</a>',
  '<a href="docs/a.html#top">a</a>',
  '<a href="examples/a.yaml">a</a>',
  '<a href="https://example.com/gone">elsewhere</a>',
  '<h1 id="here">x</h1><a href="#here">here</a>',
  'the text <a href="docs/a.html" class="x">a</a>',
])('%s leads somewhere', (body) => {
  expect(deadLinks(site(body))).toEqual([]);
});

test.each([
  ['<a href="docs/b.html">b</a>', 'the site has no docs/b.html'],
  ['<a href="docs/a.html#bottom">b</a>', 'docs/a.html has no such part'],
  ['<a href="#gone">b</a>', 'index.html has no such part'],
  ['<a href="../above.html">b</a>', 'the site has no ../above.html'],
])('%s leads nowhere', (body, why) => {
  expect(deadLinks(site(body))).toEqual([expect.stringContaining(why)]);
});
