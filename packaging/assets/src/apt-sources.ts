import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

const DEBIAN_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** One place the machine gets packages from, whichever of apt's two file formats it was written in. */
export interface AptSource {
  readonly types: readonly string[];
  readonly uris: readonly string[];
  readonly suites: readonly string[];
  readonly components: readonly string[];
  readonly signedBy?: string;
}

/** Reads a `.sources` file (deb822: stanzas of `Key: value`). Stanzas that are switched off are left out. */
export function parseDeb822Sources(text: string): readonly AptSource[] {
  return text
    .split(/\n\s*\n/)
    .map(fieldsOf)
    .filter((fields) => fields.has('uris') && fields.get('enabled') !== 'no')
    .map((fields) => source(fields));
}

/** Reads a `.list` file: `deb [options] uri suite component…`, one source per line. */
export function parseListSources(text: string): readonly AptSource[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(deb|deb-src)\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line);
    if (match === null) return [];
    const [, type = '', options = '', uri = '', suite = '', components = ''] = match;
    const signedBy = /signed-by=(\S+)/.exec(options)?.[1];
    return [
      {
        types: [type],
        uris: [uri],
        suites: [suite],
        components: words(components),
        ...(signedBy === undefined ? {} : { signedBy }),
      },
    ];
  });
}

/**
 * The lines of a private sources.list for one Debian release: the same mirrors and keys as the machine's own, its
 * security updates included, with source packages added. Nothing is named that the machine does not trust already.
 */
export function debianSources(sources: readonly AptSource[], release: string): readonly string[] {
  const wanted = new Set([release, `${release}-updates`, `${release}-security`]);
  const lines = sources
    .filter(({ types, components }) => types.includes('deb') && components.includes('main'))
    .flatMap(({ uris, suites, signedBy }) =>
      suites
        .filter((suite) => wanted.has(suite))
        .flatMap((suite) => {
          const options = signedBy === undefined ? '' : `[signed-by=${signedBy}] `;
          return uris.flatMap((uri) => [
            `deb ${options}${uri} ${suite} main`,
            ...(suite === release ? [`deb-src ${options}${uri} ${suite} main`] : []),
          ]);
        }),
    );
  if (lines.length === 0) {
    throw new ActionableError({
      what: 'find packages to make assets from',
      why: `no apt source of this machine offers Debian ${release} main`,
      next: `run on Debian 12, or add a source for ${release} to /etc/apt/sources.list.d`,
    });
  }
  return [...new Set(lines)];
}

/**
 * The lines of a private sources.list for any suite of Debian, such as another release or the development suite, at the
 * first mirror in this machine's apt sources. `deb-src` lists source packages.
 */
export function otherSuite(
  sources: readonly AptSource[],
  suite: string,
  type: 'deb' | 'deb-src' = 'deb',
): readonly string[] {
  for (const { types, uris, components, signedBy = DEBIAN_KEYRING } of sources) {
    const uri = uris.find((one) => /\/debian\/?$/.test(one));
    if (uri !== undefined && types.includes('deb') && components.includes('main')) {
      return [`${type} [signed-by=${signedBy}] ${uri} ${suite} main`];
    }
  }
  throw new ActionableError({
    what: `find packages of Debian ${suite}`,
    why: 'the apt sources of this machine do not contain a Debian archive',
    next: 'run on Debian with its usual apt sources, or add one to /etc/apt/sources.list.d',
  });
}

function fieldsOf(stanza: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let key: string | undefined;
  for (const line of stanza.split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue;
    const start = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
    if (start === null) {
      // A continuation line belongs to the field above it.
      if (key !== undefined) fields.set(key, `${fields.get(key) ?? ''} ${line.trim()}`);
      continue;
    }
    key = (start[1] ?? '').toLowerCase();
    fields.set(key, start[2] ?? '');
  }
  return fields;
}

function source(fields: ReadonlyMap<string, string>): AptSource {
  const signedBy = fields.get('signed-by')?.trim();
  return {
    types: words(fields.get('types') ?? 'deb'),
    uris: words(fields.get('uris') ?? ''),
    suites: words(fields.get('suites') ?? ''),
    components: words(fields.get('components') ?? ''),
    // A key may stand in the field itself; only a path can be carried over to a one-line source.
    ...(signedBy !== undefined && /^\/\S+$/.test(signedBy) ? { signedBy } : {}),
  };
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
