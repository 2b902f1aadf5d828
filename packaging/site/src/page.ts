import path from 'node:path';

import { escapeHtml } from '@kopsctl/cli/output/escape-html.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;color-scheme:light dark}
nav{border-bottom:1px solid;padding-bottom:.5rem}nav a{margin-right:1rem}pre{overflow-x:auto;padding:.5rem;border:1px solid}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid;padding:.25rem .5rem;vertical-align:top;text-align:left}`;

/** What every page links to. */
const NAVIGATION: readonly (readonly [title: string, page: string])[] = [
  ['kopsctl', 'index.html'],
  ['Getting started', 'docs/getting-started.html'],
  ['Commands', 'commands.html'],
  ['Fields', 'fields.html'],
  ['Runbooks', 'docs/runbooks.html'],
  ['All documents', 'documents.html'],
];

/** A whole page. `at` is its path in the site, from which links are relative: the site works below any address, and from files. */
export function page(at: string, title: string, body: string): string {
  const links = NAVIGATION.map(
    ([name, target]) => `<a href="${path.posix.relative(path.posix.dirname(at), target)}">${name}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>
<nav>${links.join(' ')}</nav>
<main>
${body}</main>
</body>
</html>
`;
}
