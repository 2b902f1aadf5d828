import { execa } from 'execa';

/**
 * Packs a folder's content so that equal content gives equal bytes: sorted, owned by root, dated 1970, and not
 * compressed, because on the way to a node of the same machine or network, bytes are cheaper than CPU.
 */
export async function packTar(
  folder: string,
  archive: string,
  members: readonly string[] = ['.'],
  { keepsModes = false }: { readonly keepsModes?: boolean } = {},
): Promise<void> {
  await execa('tar', [
    '--create',
    `--file=${archive}`,
    `--directory=${folder}`,
    '--format=gnu',
    '--sort=name',
    '--mtime=@0',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    ...(keepsModes ? [] : ['--mode=u+rw,go=rX,u-s,g-s']),
    ...members,
  ]);
}
