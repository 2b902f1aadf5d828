import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { NamedFile } from '@kopsctl/model/assets/published-assets.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The archive of CNI plugins that a person names by kops's variables, in place of the one of the release. kops ignores an
 * address without a hash; here neither of the two is ignored.
 */
export function namedCniPlugins(env: Env): NamedFile | undefined {
  const [url, sha256] = [env['CNI_VERSION_URL'], env['CNI_ASSET_HASH_STRING']];
  if (!url && !sha256) return undefined;
  if (url && /^https?:\/\//.test(url) && URL.canParse(url) && sha256 && /^[0-9a-f]{64}$/i.test(sha256)) {
    return { url, sha256: sha256.toLowerCase() };
  }
  throw new ActionableError({
    what: 'use other CNI plugins',
    why: `CNI_VERSION_URL (${url ?? 'not set'}) is not a URL, or CNI_ASSET_HASH_STRING (${sha256 ?? 'not set'}) is not a SHA-256 in hex`,
    next: 'set both: CNI_VERSION_URL=https://… CNI_ASSET_HASH_STRING=$(sha256sum FILE | cut -d" " -f1); or neither',
  });
}
