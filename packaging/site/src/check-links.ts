import path from 'node:path';

/** The links of a site that lead nowhere: to no file of it, or to no part of a page. Links to other sites are not followed. Pure. */
export function deadLinks(files: ReadonlyMap<string, string>): readonly string[] {
  const ids = new Map([...files].map(([at, text]) => [at, new Set(attributes(text, 'id'))]));
  return [...files].flatMap(([at, text]) => {
    if (!at.endsWith('.html')) return [];
    return attributes(text, 'href').flatMap((href) => {
      if (/^[a-z]+:/i.test(href)) return [];
      const [target = '', fragment] = href.split('#', 2);
      const to = target === '' ? at : path.posix.join(path.posix.dirname(at), decodeURI(target));
      const found = ids.get(to);
      if (found === undefined) return [`${at} links to ${href}: the site has no ${to}`];
      return fragment === undefined || found.has(fragment) ? [] : [`${at} links to ${href}: ${to} has no such part`];
    });
  });
}

/** Text has no quotes of its own in it: they are escaped. */
const attributes = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(`<[^>]*\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );
