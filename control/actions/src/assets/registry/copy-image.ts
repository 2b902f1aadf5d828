import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StreamedAnswer } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import { imageAddress, type ImageAddress } from './image-address.ts';
import { type Manifest, parseManifest } from './image-manifest.ts';
import { type Asked, type RegistryClient, told } from './registry-client.ts';

/** Manifests are at most 4 MiB (OCI distribution specification 1.1, "Pushing Manifests"). */
const MAX_MANIFEST_BYTES = 4 << 20;

const ACCEPT = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

export interface ImageToCopy {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies an image, for all platforms that it has, under its own digest. What the target has is not sent again, and a name
 * is written after all that it stands for, so that a copy that breaks off can be repeated.
 *
 * @returns whether anything was copied
 */
export async function copyImage(client: RegistryClient, image: ImageToCopy, signal: AbortSignal): Promise<boolean> {
  const [source, target] = [imageAddress(image.from), imageAddress(image.to)];
  const ask = async (at: ImageAddress, asked: Asked, accepted: readonly number[]): Promise<StreamedAnswer> => {
    const answer = await client.ask(at, asked, signal);
    if (accepted.includes(answer.status)) return answer;
    throw uncopied(image, at, { status: answer.status, words: await told(answer), right: asked.right });
  };

  const readManifest = async (reference: string): Promise<Manifest> => {
    const asked = {
      method: 'GET',
      path: `manifests/${reference}`,
      right: 'pull',
      headers: { accept: ACCEPT },
    } as const;
    const { headers, body } = await ask(source, asked, [200]);
    const bytes = await readWhole(body, MAX_MANIFEST_BYTES);
    const manifest = parsed(image, () => parseManifest(bytes, headers['content-type'] ?? ''));
    if (reference.startsWith('sha256:') && reference !== manifest.digest) {
      throw changed(image, reference, manifest.digest);
    }
    return manifest;
  };

  const hasBlob = async (digest: string): Promise<boolean> => {
    const { status, body } = await ask(target, { method: 'HEAD', path: `blobs/${digest}`, right: 'push' }, [200, 404]);
    body.destroy();
    return status === 200;
  };

  const copyBlob = async (digest: string): Promise<void> => {
    if (await hasBlob(digest)) return;
    const started = await ask(target, { method: 'POST', path: 'blobs/uploads/', right: 'push' }, [202]);
    started.body.destroy();
    const upload = new URL(started.headers.location ?? '', `${target.base}/v2/${target.name}/blobs/uploads/`);
    upload.searchParams.set('digest', digest);
    const { headers, body } = await ask(source, { method: 'GET', path: `blobs/${digest}`, right: 'pull' }, [200]);
    const length = headers['content-length'];
    const sent = {
      'content-type': 'application/octet-stream',
      ...(length === undefined ? {} : { 'content-length': length }),
    };
    // The registry refuses bytes that do not have the digest.
    const asked = { method: 'PUT', path: upload.href, right: 'push', headers: sent, body } as const;
    (await ask(target, asked, [201])).body.destroy();
  };

  const copyManifest = async (manifest: Manifest, reference: string): Promise<void> => {
    for (const digest of manifest.manifests) await copyManifest(await readManifest(digest), digest);
    for (const digest of manifest.blobs) await copyBlob(digest);
    const asked = { method: 'PUT', path: `manifests/${reference}`, right: 'push' } as const;
    const headers = { 'content-type': manifest.type };
    (await ask(target, { ...asked, headers, body: manifest.bytes }, [201])).body.destroy();
  };

  const manifest = await readManifest(source.reference);
  const asked = {
    method: 'HEAD',
    path: `manifests/${target.reference}`,
    right: 'push',
    headers: { accept: ACCEPT },
  } as const;
  const there = await ask(target, asked, [200, 404]);
  there.body.destroy();
  if (there.status === 200 && there.headers['docker-content-digest'] === manifest.digest) return false;
  await copyManifest(manifest, target.reference);
  return true;
}

function parsed(image: ImageToCopy, parse: () => Manifest): Manifest {
  try {
    return parse();
  } catch (cause) {
    throw new ActionableError({
      what: `copy the image ${image.from} to ${image.to}`,
      why: `what its registry returned is not a manifest: ${messageOf(cause)}`,
      next: 'run the same command again; if the error persists, check that the address is that of a registry',
      cause,
    });
  }
}

function uncopied(
  { from, to }: ImageToCopy,
  { registry }: ImageAddress,
  { status, words, right }: { readonly status: number; readonly words: string; readonly right: Asked['right'] },
): ActionableError {
  return new ActionableError({
    what: `copy the image ${from} to ${to}`,
    why: `${registry} answers ${status}${words === '' ? '' : `: ${words}`}`,
    next:
      status === 401 || status === 403
        ? `log in where you may ${right}: docker login ${registry} (without a credential helper: only what is in ~/.docker/config.json is read)`
        : 'run the same command again: what was copied is kept',
  });
}

const changed = ({ from, to }: ImageToCopy, wanted: string, found: string): ActionableError =>
  new ActionableError({
    what: `copy the image ${from} to ${to}`,
    why: `its registry returned ${found} for ${wanted}`,
    next: 'run the same command again; if the error persists, something on the way changes images',
  });
