import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { escapeHtml } from '@kopsctl/cli/output/escape-html.ts';
import { ROOT } from '@kopsctl/packaging-binary/bundle.ts';
import { type Kind, KINDS } from '@kopsctl/spec/kinds.ts';

import { page } from './page.ts';
import { renderCommands } from './render-commands.ts';
import { renderFields } from './render-fields.ts';
import { pagePath, renderMarkdown } from './render-markdown.ts';

/** What pages are made of, and the other files that they link to. */
const DOCUMENTS = ['*.md', 'docs/**/*.md'];
const FILES = ['LICENSE', 'examples/*'];

/** All files of the site by their paths. */
export async function buildSite(): Promise<ReadonlyMap<string, string>> {
  const site = new Map<string, string>();
  const add = (at: string, title: string, body: string): void => void site.set(at, page(at, title, body));
  const documents: string[] = [];
  for (const document of sorted(DOCUMENTS)) {
    const { title, html } = renderMarkdown(await readFile(path.join(ROOT, document), 'utf8'));
    const at = pagePath(document);
    add(at, title, html);
    documents.push(item(at, title));
  }
  for (const file of sorted(FILES)) site.set(file, await readFile(path.join(ROOT, file), 'utf8'));
  add('commands.html', 'Commands', await renderCommands());
  const kinds = Object.keys(KINDS) as Kind[];
  for (const kind of kinds) add(fieldsPage(kind), `Fields of ${kind}`, renderFields(kind));
  add(
    'fields.html',
    'Fields',
    list(
      'Fields',
      kinds.map((kind) => item(fieldsPage(kind), kind)),
    ),
  );
  add('documents.html', 'All documents', list('All documents', documents));
  return site;
}

const fieldsPage = (kind: Kind): string => `fields-${kind.toLowerCase()}.html`;
const item = (at: string, title: string): string => `<li><a href="${at}">${escapeHtml(title)}</a></li>`;
const list = (title: string, items: readonly string[]): string =>
  `<h1>${title}</h1>\n<ul>\n${items.join('\n')}\n</ul>\n`;

const sorted = (patterns: readonly string[]): readonly string[] => globSync(patterns, { cwd: ROOT }).toSorted();
