import { html, type Html } from './html.ts';

/** The parts of a cluster that have a page each, in the order of the navigation. */
export const PARTS = ['machines', 'spec', 'plan', 'backups'] as const;

export type Part = (typeof PARTS)[number];

/** Machines boot while a person looks; the rest changes when somebody changes it, and is asked for by loading the page. */
export const isLive = (part: Part): boolean => part === 'machines';

/** From the page of all clusters. Links are relative: only the admission knows the folder that all pages are in. */
export const linkFromClusters = (cluster: string, part: Part): string =>
  `clusters/${encodeURIComponent(cluster)}/${part}`;
/** From a page about a cluster. */
const LINK_TO_CLUSTERS = '../../';

export interface Page {
  readonly title: string;
  /** The cluster and the part that the page is about. */
  readonly place?: { readonly cluster: string; readonly part: Part };
  readonly content: Html;
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 80rem; padding: 1rem; }
nav a { margin-right: 1rem; } nav a[aria-current] { font-weight: bold; text-decoration: none; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
pre { overflow-x: auto; background: #8881; padding: .75rem; } svg { max-width: 100%; height: auto; }
.good { color: #15803d; } .bad { color: #b91c1c; font-weight: bold; } .quiet { opacity: .7; }
`;

/** The content is replaced whenever the server has a newer one: the server says so by an event, and the page does not poll. */
const SCRIPT = `
const main = document.querySelector('main');
const events = new EventSource(location.pathname + '?live');
events.onmessage = (event) => { main.innerHTML = JSON.parse(event.data); };
events.onerror = () => { document.body.dataset.live = 'no'; };
events.onopen = () => { document.body.dataset.live = 'yes'; };
`;

/** A whole page. Nothing of it comes from elsewhere; the nonce permits its own style and script alone. */
export function renderPage({ title, place, content }: Page, nonce: string): string {
  const links = place === undefined ? [] : PARTS.map((part) => link(part, part === place.part));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <nav><a href="${place === undefined ? './' : LINK_TO_CLUSTERS}">Clusters</a>${links}</nav>
        <h1>${title}</h1>
        <main>${content}</main>
        ${
          place === undefined || !isLive(place.part)
            ? undefined
            : html`<script nonce="${nonce}">
                ${raw(SCRIPT)};
              </script>`
        }
      </body>
    </html> `.markup;
}

/** To another part of the same cluster. */
const link = (part: Part, isHere: boolean): Html =>
  isHere ? html`<a href="${part}" aria-current="page">${part}</a>` : html`<a href="${part}">${part}</a>`;

/** Texts of this file. */
const raw = (markup: string): Html => ({ markup });

/** What a browser may load for a page: nothing but what stands in it, and its events. */
export const policyOf = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
