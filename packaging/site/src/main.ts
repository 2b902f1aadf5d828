import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ROOT } from '@kopsctl/packaging-binary/bundle.ts';

import { buildSite } from './build-site.ts';
import { deadLinks } from './check-links.ts';

/** Writes the documentation site to dist/site, unless a link of it leads nowhere. */
async function main(): Promise<number> {
  const out = path.join(ROOT, 'dist/site');
  const site = await buildSite();
  const dead = deadLinks(site);
  for (const link of dead) process.stderr.write(`${link}\n`);
  if (dead.length > 0) return 1;
  await rm(out, { recursive: true, force: true });
  for (const [at, text] of site) {
    const file = path.join(out, at);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  process.stderr.write(`${site.size} files are in ${out}; all links resolve\n`);
  return 0;
}

process.exitCode = await main();
