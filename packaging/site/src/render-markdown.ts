import { escapeHtml } from '@kopsctl/cli/output/escape-html.ts';
import { Marked, type Tokens } from 'marked';

interface Rendered {
  readonly title: string;
  readonly html: string;
}

/** Renders a document of docs/: links between documents become links between pages, headings get the ids that GitHub gives them. Pure. */
export function renderMarkdown(markdown: string): Rendered {
  const slugs = new Map<string, number>();
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        if (title === '') title = plain(text);
        return `<h${depth} id="${unique(slugOf(text), slugs)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(pageLink(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      // Nothing in docs/ is meant as HTML: `<name>` stands for a name.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    },
  });
  // Without extensions that work asynchronously the result is a text.
  const html = marked.parse(markdown, { async: false });
  return { title, html };
}

/** The page of a document. */
export const pagePath = (document: string): string =>
  document.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

function pageLink(href: string): string {
  if (/^[a-z]+:/i.test(href)) return href;
  const [target = '', fragment] = href.split('#', 2);
  return `${pagePath(target)}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Backticks and emphasis are not part of a name. */
const plain = (text: string): string => text.replace(/[`*]/g, '');

const slugOf = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

function unique(slug: string, taken: Map<string, number>): string {
  const count = taken.get(slug) ?? 0;
  taken.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
