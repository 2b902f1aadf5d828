import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

import { DEFAULT_CACHE, prepareAssets } from './prepare-assets.ts';
import { publishAgents } from './publish.ts';
import { terminalLog } from './terminal-log.ts';

const USAGE = `usage: main.ts [--kubernetes VERSION,…] [--out DIR] [--cache DIR] [--only NAME,…] [--agents FILE] [--refresh]

Makes everything that a cluster downloads: Kubernetes, the container runtimes, CNI plugins, etcd and image archives.

  --kubernetes VERSIONS  the versions that clusters run (${RECOMMENDED_KUBERNETES})
  --docker      Docker too, for clusters that run it
  --images NAMES  images of addons besides the usual ones, e.g. metrics-server,flannel
  --out DIR     where the files and index.json go (${DEFAULT_CACHE}/assets)
  --cache DIR   where results are kept between runs (${DEFAULT_CACHE})
  --only NAMES  make only these, e.g. etcd-3.6,image/pause
  --agents FILE the agents' binary, added to the assets if it exists (dist/kops-agents)
  --refresh     ask Debian for newer packages even when everything is cached
`;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      kubernetes: { type: 'string', default: RECOMMENDED_KUBERNETES },
      docker: { type: 'boolean', default: false },
      images: { type: 'string', default: '' },
      out: { type: 'string', default: `${DEFAULT_CACHE}/assets` },
      cache: { type: 'string', default: DEFAULT_CACHE },
      only: { type: 'string', default: '' },
      agents: { type: 'string', default: path.join(import.meta.dirname, '../../../dist/kops-agents') },
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
    wants: { kubernetes: names(values.kubernetes), docker: values.docker, images: names(values.images) },
    ...(values.only === '' ? {} : { only: names(values.only) }),
    refresh: values.refresh,
    ...terminalLog(),
  });
  if (existsSync(values.agents)) {
    const { sha256 } = await publishAgents({ assetsDir: values.out, binary: values.agents });
    process.stderr.write(`agents: ${sha256.slice(0, 16)}\n`);
  }
  const megabytes = Math.round(index.assets.reduce((sum, { size }) => sum + size, 0) / 1e6);
  process.stderr.write(`${String(index.assets.length)} assets, ${String(megabytes)} MB: ${values.out}/index.json\n`);
  return 0;
}

const names = (text: string): readonly string[] => text.split(',').filter((name) => name !== '');

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    if (error instanceof ActionableError) process.stderr.write(`Next: ${error.next}\n`);
    process.exitCode = 1;
  }
}
