import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

import { packTar } from './deterministic-tar.ts';
import type { Arch, Recipe } from './recipe.ts';

interface ArchiveRow {
  readonly thing: string;
  /** The row of programs.ts that it packs. */
  readonly programs: string;
  /** Name in the index; the version is appended where several versions live side by side. */
  readonly assetName: (version: string) => string;
  /** The file's name as upstream's release calls it, without compression. */
  readonly file: (version: string, arch: Arch) => string;
  /** The folder in the archive that holds the programs; none for a single program that is downloaded as it is. */
  readonly folder: ((version: string, arch: Arch) => string) | undefined;
}

const etcd = (minor: string): ArchiveRow => ({
  thing: `etcd-${minor}`,
  programs: `programs/etcd-${minor}`,
  assetName: (version) => `etcd-${version}`,
  file: (version, arch) => `etcd-v${version}-linux-${arch}.tar`,
  folder: (version, arch) => `etcd-v${version}-linux-${arch}`,
});

const containerd = (major: string): ArchiveRow => ({
  thing: `containerd-${major}`,
  programs: `programs/containerd-${major}`,
  assetName: () => 'containerd',
  file: (version, arch) => `containerd-${version}-linux-${arch}.tar`,
  folder: () => 'bin',
});

/** What machines download, in the layouts of the upstream releases: a node cannot tell where the programs came from. */
const ROWS: readonly ArchiveRow[] = [
  containerd('1'),
  containerd('2'),
  etcd('3.4'),
  etcd('3.5'),
  etcd('3.6'),
  {
    thing: 'runc',
    programs: 'programs/runc',
    assetName: () => 'runc',
    file: (version, arch) => `runc-${version}.${arch}`,
    folder: undefined,
  },
  {
    thing: 'cni',
    programs: 'programs/cni',
    assetName: () => 'cni',
    file: (version, arch) => `cni-plugins-linux-${arch}-v${version}.tar`,
    folder: () => '.',
  },
  {
    thing: 'docker',
    programs: 'programs/docker',
    assetName: () => 'docker',
    file: (version) => `docker-${version}.tar`,
    folder: () => 'docker',
  },
];

/** @param versionOf the version that is wanted of a row of programs.ts */
export function archiveRecipes(
  arch: Arch,
  versionOf: (programs: string) => string,
  revision: string,
): readonly Recipe[] {
  return ROWS.map((row) => ({
    thing: row.thing,
    version: versionOf(row.programs),
    from: row.programs,
    packages: [],
    needs: [row.programs],
    revision,
    async make({ dir, scratch, need }) {
      const { dir: programs, files } = need(row.programs);
      const version = files[0]?.version ?? '';
      const file = row.file(version, arch);
      if (row.folder === undefined) {
        const [program] = files;
        if (program === undefined) throw new Error(`${row.programs} is empty`);
        await copyFile(path.join(programs, program.file), path.join(dir, file));
        await chmod(path.join(dir, file), 0o755);
      } else {
        const tree = path.join(scratch, 'tree');
        const target = path.join(tree, row.folder(version, arch));
        await mkdir(target, { recursive: true });
        for (const { file: program } of files) {
          await copyFile(path.join(programs, program), path.join(target, program));
          await chmod(path.join(target, program), 0o755);
        }
        // Upstream's archives name their members without a leading `./`.
        await packTar(tree, path.join(dir, file), (await readdir(tree)).sort());
      }
      return [{ name: row.assetName(version), version, file }];
    },
  }));
}
