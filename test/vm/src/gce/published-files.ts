import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AssetEntry } from '@kopsctl/assets/asset-index.ts';
import { parseAssetIndex } from '@kopsctl/assets/parse-asset-index.ts';
import { minorOf } from '@kopsctl/spec/minor-version.ts';

/** A file as its publisher names it. */
export interface PublishedFile {
  readonly sha256: string;
  /** On this computer, or what it holds. */
  readonly source: { readonly path: string } | { readonly text: string };
}

/** Nothing in this cluster pulls an image of Google's own registries. */
const CREDENTIAL_PROGRAM = '#!/bin/sh\nexit 1\n';

/** The names under which publishers have what the prepared assets hold, by the last part of their URLs. */
const NAMES: readonly (readonly [asset: RegExp, file: (entry: AssetEntry) => RegExp])[] = [
  [/^kubelet$/, () => /^kubelet$/],
  [/^kubectl$/, () => /^kubectl$/],
  [/^runc$/, () => /^runc\.amd64$/],
  [/^cni$/, () => /^cni-plugins-.*\.tgz$/],
  [/^containerd$/, () => /^containerd-.*\.tar\.gz$/],
  [/^agents-amd64$/, () => /^kops-agents-linux-amd64$/],
  // An older etcd is only there to be upgraded from. None is here, so any serves.
  [/^etcd-/, ({ version }) => new RegExp(`^etcd-v${minorOf(version).replace('.', '\\.')}\\.|^etcd-v`)],
];

/** What machines download in place of what is published: programs of the prepared assets. */
export class PublishedFiles {
  readonly #dir: string;
  readonly #entries: readonly AssetEntry[];

  constructor(dir: string, entries: readonly AssetEntry[]) {
    this.#dir = dir;
    this.#entries = entries;
  }

  /** @param kubernetesVersion of several versions of a program, the one that this uses */
  static async open(dir: string, kubernetesVersion: string): Promise<PublishedFiles> {
    const index = join(dir, 'index.json');
    const { assets } = parseAssetIndex(await readFile(index, 'utf8'), index);
    const isUsed = ({ name, version }: AssetEntry): boolean =>
      name.startsWith('kube') ? version === kubernetesVersion : name !== 'containerd' || !version.startsWith('1.');
    return new PublishedFiles(dir, assets.filter(isUsed));
  }

  versionOf(name: string): string {
    const found = this.#entries.find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`the prepared assets have no ${name}`);
    return found.version;
  }

  /** The file that stands for a published one; undefined if there is none. */
  find(url: string): PublishedFile | undefined {
    const name = basename(new URL(url, 'http://localhost').pathname);
    if (name === 'auth-provider-gcp') {
      return {
        sha256: createHash('sha256').update(CREDENTIAL_PROGRAM).digest('hex'),
        source: { text: CREDENTIAL_PROGRAM },
      };
    }
    const matching = this.#entries.filter((entry) =>
      NAMES.some(([asset, file]) => asset.test(entry.name) && file(entry).test(name)),
    );
    const exact = matching.find(({ version }) => name.includes(`v${minorOf(version)}.`));
    const entry = exact ?? matching.at(-1);
    return entry && { sha256: entry.sha256, source: { path: join(this.#dir, entry.file) } };
  }

  sha256Of(url: string): string {
    const found = this.find(url);
    if (found === undefined) throw new Error(`nothing stands for ${url}`);
    return found.sha256;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = this.find(request.url ?? '');
    if (found === undefined) return void response.writeHead(404).end();
    if ('text' in found.source) return void response.end(found.source.text);
    const { path } = found.source;
    response.setHeader('content-length', (await stat(path)).size);
    if (request.method === 'HEAD') return void response.end();
    await pipeline(createReadStream(path), response).catch((error: unknown) => {
      // A client that has all bytes may close its connection before this side has ended the answer.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }
}
