import { parseArgs } from 'node:util';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

import { DEFAULT_CACHE, prepareAssets } from './prepare-assets.ts';

export { prepareAssets } from './prepare-assets.ts';
export { publishAgents } from './publish.ts';

const USAGE = `usage: main.ts [--out DIR] [--cache DIR] [--only NAME,…] [--refresh]

Makes everything that a cluster downloads: Kubernetes, the container runtimes, CNI plugins, etcd and image archives.

  --out DIR     where the files and index.json go (${DEFAULT_CACHE}/assets)
  --cache DIR   where results are kept between runs (${DEFAULT_CACHE})
  --only NAMES  make only these, e.g. etcd,image/pause
  --refresh     ask Debian for newer packages even when everything is cached
`;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string', default: `${DEFAULT_CACHE}/assets` },
      cache: { type: 'string', default: DEFAULT_CACHE },
      only: { type: 'string', default: '' },
      refresh: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const index = await prepareAssets({
    out: values.out,
    cacheDir: values.cache,
    only: values.only.split(',').filter((name) => name !== ''),
    refresh: values.refresh,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const megabytes = Math.round(index.assets.reduce((sum, { size }) => sum + size, 0) / 1e6);
  process.stderr.write(`${String(index.assets.length)} assets, ${String(megabytes)} MB: ${values.out}/index.json\n`);
  return 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    if (error instanceof ActionableError) process.stderr.write(`Next: ${error.next}\n`);
    process.exitCode = 1;
  }
}
