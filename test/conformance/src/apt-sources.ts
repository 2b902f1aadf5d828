/** An archive as this machine's own apt sources name it. */
export interface DebianMirror {
  readonly uri: string;
  readonly keyring: string;
}

const DEFAULT_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Finds the Debian archive (not security, not another vendor's) in the texts of sources.list and sources.list.d,
 * in both of their formats. Pure.
 */
export function findDebianMirror(texts: readonly string[]): DebianMirror | undefined {
  for (const text of texts) {
    for (const source of [...deb822Sources(text), ...oneLineSources(text)]) {
      if (/\/debian\/?$/.test(source.uri)) return { uri: source.uri, keyring: source.keyring ?? DEFAULT_KEYRING };
    }
  }
  return undefined;
}

interface Source {
  readonly uri: string;
  readonly keyring: string | undefined;
}

function deb822Sources(text: string): Source[] {
  return text.split(/\n\s*\n/).flatMap((stanza) => {
    const field = (name: string) => new RegExp(`^${name}:\\s*(.+)$`, 'im').exec(stanza)?.[1]?.trim();
    if (!field('Types')?.split(/\s+/).includes('deb') || field('Enabled') === 'no') return [];
    const keyring = field('Signed-By');
    return (field('URIs') ?? '')
      .split(/\s+/)
      .map((uri) => ({ uri, keyring: keyring?.startsWith('/') ? keyring : undefined }));
  });
}

function oneLineSources(text: string): Source[] {
  return [...text.matchAll(/^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s/gm)].map(([, options = '', uri = '']) => ({
    uri,
    keyring: /signed-by=(\/\S+)/.exec(options)?.[1],
  }));
}
