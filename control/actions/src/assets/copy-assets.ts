import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { ClusterAssets, FileAsset, ImageAsset } from './cluster-assets.ts';
import { type ActionContext, count, note } from '../phases/action.ts';
import { inParallel } from '../store/in-parallel.ts';
import { copyFile } from './copy-file.ts';
import { copyImage } from './registry/copy-image.ts';
import { dockerCredentials } from './registry/docker-credentials.ts';
import { registryClient } from './registry/registry-client.ts';
import { repositoryStore } from './repository-store.ts';

/** Copies what machines download to where the spec says that they download it from. What is already there is not copied again. */
export async function copyAssets(context: ActionContext, assets: ClusterAssets, fileRepository = ''): Promise<void> {
  const files = assets.files.filter(isElsewhere);
  const images = assets.images.filter(isElsewhere);
  if (files.length + images.length === 0) {
    throw new ActionableError({
      what: 'copy what machines download',
      why: 'the cluster names no place for copies: machines download from the projects themselves',
      next: 'name one: kopsctl set cluster spec.assets.fileRepository=https://s3.REGION.amazonaws.com/BUCKET (or spec.assets.containerRegistry for images)',
    });
  }
  // One more connection for each would only be slower: all of them go over the line of this computer.
  const http = openHttp({ maxSockets: 4 });
  try {
    if (files.length > 0) await copyFiles(context, http, files, fileRepository);
    if (images.length > 0) await copyImages(context, http, images);
  } finally {
    http.close();
  }
}

const isElsewhere = ({ canonical, download }: ImageAsset): boolean => canonical !== download;

type Client = ReturnType<typeof openHttp>;

async function copyFiles(
  context: ActionContext,
  http: Client,
  files: readonly FileAsset[],
  fileRepository: string,
): Promise<void> {
  const { url, region } = repositoryStore(fileRepository);
  const repository = await openStore(url, environmentOf(context.env, region));
  const base = `${fileRepository.replace(/\/$/, '')}/`;
  let done = 0;
  const counted = () => count(context, { what: 'files', done, total: files.length });
  counted();
  await inParallel(files, async ({ canonical, download, sha }) => {
    const path = download.slice(base.length);
    const isCopied = await copyFile(http, repository, { from: canonical, path, sha256: sha }, context.signal);
    note(context, isCopied ? `Copied ${canonical} to ${download}` : `${download} is there already`);
    done++;
    counted();
  });
}

async function copyImages(context: ActionContext, http: Client, images: readonly ImageAsset[]): Promise<void> {
  const client = registryClient(http, await dockerCredentials(context.env));
  // One after the other: they share layers, which are then sent once.
  for (const [done, { canonical, download }] of images.entries()) {
    count(context, { what: 'images', done, total: images.length });
    const isCopied = await copyImage(client, { from: canonical, to: download }, context.signal);
    note(context, isCopied ? `Copied ${canonical} to ${download}` : `${download} is there already`);
  }
  count(context, { what: 'images', done: images.length, total: images.length });
}

/** The state store may be at another server, with other keys and readers than a repository whose address names Amazon's. */
function environmentOf(env: NodeJS.ProcessEnv, region: string | undefined): NodeJS.ProcessEnv {
  if (region === undefined) return env;
  const { KOPS_S3_ENDPOINT: _own, S3_ENDPOINT: _ofKops, KOPS_STATE_S3_ACL: _acl, ...others } = env;
  return { ...others, KOPS_S3_REGION: region };
}
