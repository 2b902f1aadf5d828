import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli } from './recorded-cases.ts';

/*
 * The scripts of `kopsctl completion` in the shells that load them. There is no PowerShell for tests; for its script, only the
 * tests of the command line check that it is printed.
 */

const shells = await findPeer('shells');
const CLUSTER = 'demo.example.com';

let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-shells-'));
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'kopsctl'), `#!/bin/sh\nexec ${cli.join(' ')} "$@"\n`);
  await chmod(join(bin, 'kopsctl'), 0o755);
  const root = shells?.root ?? '/';
  const libraries = await readdir(join(root, 'usr/lib')).catch(() => []);
  env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: folder,
    KOPS_STATE_STORE: `file://${folder}/state`,
    LD_LIBRARY_PATH: libraries.flatMap((name) => [join(root, 'usr/lib', name), join(root, 'lib', name)]).join(':'),
    ROOT: root,
    TERM: 'xterm',
  };
  await writeFile(join(folder, '.zshrc'), `${ZSH_FOLDERS}${LOADED}${SHOWN}`);
  await mkdir(join(folder, 'installed'));
  await writeFile(join(folder, 'installed/.zshrc'), `${ZSH_FOLDERS}fpath+=($ZDOTDIR)\n${STARTED}${SHOWN}`);
  await writeFile(join(folder, 'type.zsh'), TYPE_IN_ZSH);
  await writeFile(join(folder, 'installed/_kopsctl'), await run(join(bin, 'kopsctl'), 'completion', 'zsh'));
  await run(join(bin, 'kopsctl'), 'create', 'cluster', CLUSTER, '--cloud=aws', '--zones=eu-west-1a', '--offline');
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

const run = async (program: string, ...argv: readonly string[]): Promise<string> =>
  (await execa(program, argv, { env, extendEnv: false })).stdout;

/** The folders of Debian's zsh are not where it looks for them. */
const ZSH_FOLDERS = 'module_path=($ROOT/usr/lib/*/zsh/*(/)); fpath=($ROOT/usr/share/zsh/functions/**/*(/))\n';
const STARTED = 'autoload -Uz compinit && compinit -u -D\n';
const LOADED = `${STARTED}source <(kopsctl completion zsh)\n`;
/** `^X` prints the line that is being typed. */
const SHOWN = `
show() { print -r -- "<<$BUFFER>>"; exit }
zle -N show; bindkey '^X' show; bindkey '^I' complete-word; PS1='> '
`;

/** Types a line and a tab into a zsh on a terminal of its own. */
const TYPE_IN_ZSH =
  String.raw`
module_path=($ROOT/usr/lib/*/zsh/*(/))
zmodload zsh/zpty
zpty shell "ZDOTDIR=$1 $ROOT/bin/zsh -i"
zpty -w -n shell "$2"$'\t\x18'
while zpty -r shell line; do [[ $line == *'<<'*'>>'* ]] && print -r -- "` +
  '${${line##*<<}%%>>*}' +
  String.raw`"; done
exit 0
`;

/** What the line is after the tab; fish and bash say what they would put there. */
const COMPLETED = {
  bash: async (line: string) => {
    // bash breaks words at `=` as well, and replaces the last of these pieces.
    const words = line
      .split(' ')
      .flatMap((word) => word.split(/(=)/).filter((piece, index) => piece !== '' || index === 0));
    const last = words.at(-1) ?? '';
    const script = `source <(kopsctl completion bash); COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length - 1}; __kopsctl_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const before = last === '=' ? line : line.slice(0, line.length - last.length);
    return `${before}${await run('bash', '--norc', '-c', script)}`;
  },
  fish: async (line: string) => {
    const script = `kopsctl completion fish | source; complete -C '${line}'`;
    const printed = await run(join(env['ROOT'] ?? '', 'usr/bin/fish'), '--no-config', '-c', script);
    return [...line.split(' ').slice(0, -1), printed.replace(/\t.*/g, '')].join(' ');
  },
  zsh: (line: string) => typeInZsh(folder, line),
  'zsh, installed': (line: string) => typeInZsh(join(folder, 'installed'), line),
};

/** @param startup the folder with the .zshrc that it reads */
const typeInZsh = async (startup: string, line: string): Promise<string> =>
  (await run(join(env['ROOT'] ?? '', 'bin/zsh'), '-f', join(folder, 'type.zsh'), startup, line)).trimEnd();

describe.each(shells === undefined ? (['bash'] as const) : (['bash', 'fish', 'zsh', 'zsh, installed'] as const))(
  '%s',
  (shell) => {
    test.each([
      ['kopsctl get clu', 'kopsctl get clusters'],
      ['kopsctl edit cluster d', `kopsctl edit cluster ${CLUSTER}`],
      ['kopsctl update cluster --targ', 'kopsctl update cluster --target'],
      ['kopsctl edit cluster --set spec.kubernetesV', 'kopsctl edit cluster --set spec.kubernetesVersion='],
      ['kopsctl edit cluster --set=spec.kubernetesV', 'kopsctl edit cluster --set=spec.kubernetesVersion='],
      ['kopsctl get instancegroups --name=d', `kopsctl get instancegroups --name=${CLUSTER}`],
      ['kopsctl get instancegroups --name=', `kopsctl get instancegroups --name=${CLUSTER}`],
    ])('completes `%s`', { timeout: 60_000 }, async (typed, completed) => {
      expect(await COMPLETED[shell](typed)).toBe(completed);
    });
  },
);

test.runIf(shells !== undefined).each([
  [`kopsctl apply FOLDER/pla`, 'FOLDER/plan.json'],
  [`kopsctl verify x --key FOLDER/pla`, 'FOLDER/plan.json'],
  [`kopsctl verify x --key=FOLDER/pla`, '--key=FOLDER/plan.json'],
])('fish completes the file of `%s`', { timeout: 60_000 }, async (typed, completed) => {
  await writeFile(join(folder, 'plan.json'), '{}');
  const here = (text: string) => text.replace('FOLDER', folder);
  expect((await COMPLETED.fish(here(typed))).split(' ').at(-1)).toBe(here(completed));
});
