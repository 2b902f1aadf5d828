import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { completionScript } from '@kopsctl/cli/completion/scripts.ts';
import { manualPages } from '@kopsctl/cli/help/manual.ts';
import { buildProgram } from '@kopsctl/cli/program.ts';
import { execa } from 'execa';
import { gzipSync } from 'node:zlib';

import { layTree, type Tree } from './lay-tree.ts';

export interface DebianPackage {
  readonly version: string;
  readonly arch: 'amd64' | 'arm64';
  /** The executable for that processor. */
  readonly kopsctl: string;
  readonly license: string;
  readonly dateSeconds: number;
}

/** Makes the package in a folder: the CLI, its manual pages, and completion for three shells. Returns its name. */
export async function debianPackage(wanted: DebianPackage, out: string): Promise<string> {
  const { version, arch, dateSeconds } = wanted;
  const name = `kopsctl_${version}_${arch}.deb`;
  const folder = await mkdtemp(path.join(tmpdir(), 'kopsctl-deb-'));
  try {
    const tree = new Map<string, string | Uint8Array>(await contents(wanted));
    tree.set('usr/bin/kopsctl', await readFile(wanted.kopsctl));
    const bytes = [...tree.values()].reduce((sum, content) => sum + content.length, 0);
    tree.set('DEBIAN/control', control(version, arch, bytes));
    await layTree(folder, tree, { executables: ['usr/bin/kopsctl'], dateSeconds });
    // gzip: dpkg of every release reads it, and its bytes do not depend on how many processors pack.
    await execa('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', folder, path.join(out, name)], {
      env: { SOURCE_DATE_EPOCH: String(dateSeconds), LC_ALL: 'C.UTF-8' },
    });
    return name;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is in every package beside the executable. */
async function contents({ version, license }: DebianPackage): Promise<Tree> {
  const program = await buildProgram({}, { code: 0, path: [], verbosity: 0 });
  const pages = [...manualPages(program, version)].map(
    ([name, text]) => [`usr/share/man/man1/${name}.gz`, gzipSync(text)] as const,
  );
  return new Map<string, string | Uint8Array>([
    ...pages,
    ['usr/share/bash-completion/completions/kopsctl', completionScript('bash')],
    ['usr/share/zsh/vendor-completions/_kopsctl', completionScript('zsh')],
    ['usr/share/fish/vendor_completions.d/kopsctl.fish', completionScript('fish')],
    ['usr/share/doc/kopsctl/copyright', license],
  ]);
}

/** Node's executables need no more than these, and any Debian since 10 has them. */
const control = (version: string, arch: string, bytes: number): string =>
  `Package: kopsctl
Version: ${version}
Architecture: ${arch}
Maintainer: The makers of kopsctl <kopsctl@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6
Recommends: openssh-client, ca-certificates
Section: admin
Priority: optional
Description: creates and runs Kubernetes clusters the kops way
 kopsctl turns a short cluster spec into running machines, and keeps them:
 updates, rolling updates, keys, backups of etcd.
`;
