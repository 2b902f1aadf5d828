import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';
import * as z from 'zod';

import type { Go } from './go-toolchain.ts';

/** A published Go module, and what is built from it. */
export interface GoModule {
  readonly path: string;
  /** With its leading v. */
  readonly version: string;
  /**
   * Main packages by the program's name, relative to the module; `.` is the module itself. A package of another module is
   * written in full; its version is the one that the module requires. A single file is built alone, because its folder may
   * hold sources in C beside it.
   */
  readonly programs: Readonly<Record<string, string>>;
  /** Packages whose tests are compiled into a program, by its name. */
  readonly tests?: Readonly<Record<string, string>>;
  /** Variables of the program that name its version, as the linker's `-X` takes them. */
  readonly versionVariables?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  /** The program has parts in C. */
  readonly usesC?: true;
  /** Modules, as `path@version`, without which the choice of versions is ambiguous. */
  readonly requires?: readonly string[];
}

/** The parts of what Go prints that are read here. Go prints an empty list as null. */
const downloadedModule = z.object({ GoMod: z.string(), Dir: z.string() });
const replacement = z.object({ Path: z.string(), Version: z.string().optional() });
const modFile = z.object({
  Require: z.array(z.object({ Path: z.string(), Version: z.string() })).nullish(),
  Replace: z.array(z.object({ Old: replacement, New: replacement })).nullish(),
});
const moduleVersions = z.object({ Versions: z.array(z.string()).nullish() });

/** A module whose sources, and those of all that its programs import, are on this machine. */
export interface FetchedGoModule {
  readonly module: GoModule;
  readonly run: GoCommand;
  /** What to compile, as `go build` takes it. */
  readonly packageOf: (program: string) => string;
}

/** Compiles programs of a module as it was published, into a folder, each under its name. */
export async function buildGoModule(go: Go, module: GoModule, into: string, scratch: string): Promise<void> {
  await compileGoModule(await fetchGoModule(go, module, scratch), into);
}

/**
 * Gets the sources of a module as it was published; its checksum and those of all that it requires are checked
 * against Go's checksum database. Nothing of the module lies in a folder of ours: a module of one line requires it.
 */
export async function fetchGoModule(go: Go, module: GoModule, scratch: string): Promise<FetchedGoModule> {
  const dir = path.join(scratch, 'module', module.path);
  await mkdir(dir, { recursive: true });
  const run = goCommand(go, dir, module);
  const downloaded = await download(run, module);
  const packageOf = (name: string): string => {
    if (isFile(name)) return path.join(downloaded.Dir, name);
    // The first part of a full path is a domain.
    return /^[^/]+\.[^/]+\//.test(name) ? name : path.posix.join(module.path, name);
  };
  await writeFile(path.join(dir, 'go.mod'), 'module programs\n');
  const own = modFile.parse(JSON.parse(await run('read', ['mod', 'edit', '-json', downloaded.GoMod])));
  const goVersion = /^go (\S+)/m.exec(await readFile(downloaded.GoMod, 'utf8'))?.[1];
  await writeFile(path.join(dir, 'go.mod'), goMod(module, goVersion, own));
  const { programs, tests = {} } = module;
  // Looking for what is imported gets exactly that; `go mod download` gets many times as much.
  for (const [kind, wanted] of [
    [[], programs],
    [['-test'], tests],
  ] as const) {
    const packages = Object.values(wanted).map(packageOf);
    const [files, paths] = [packages.filter(isFile), packages.filter((one) => !isFile(one))];
    for (const some of [...files.map((file) => [file]), ...(paths.length > 0 ? [paths] : [])]) {
      await run('download', ['list', '-deps', ...kind, tagsOf(module), '-f={{/* */}}', ...some]);
    }
  }
  return { module, run, packageOf };
}

/** Compiles what was fetched. Needs no network, all processors, and gigabytes of memory. */
export async function compileGoModule({ module, run, packageOf }: FetchedGoModule, into: string): Promise<void> {
  const flags = ['-trimpath', tagsOf(module), `-ldflags=${['-s', '-w', ...linkerVariables(module)].join(' ')}`];
  const programs = Object.entries(module.programs);
  // Go names a program by the last part of its package, and links the programs that one command names at the same time.
  const isNamedByGo = ([name, main]: readonly [string, string]): boolean => path.posix.basename(main) === name;
  const together = programs.filter(isNamedByGo).map(([, main]) => packageOf(main));
  if (together.length > 0) await run('build', ['build', ...flags, '-o', `${into}/`, ...together]);
  for (const [name, main] of programs.filter((program) => !isNamedByGo(program))) {
    await run('build', ['build', ...flags, '-o', path.join(into, name), packageOf(main)]);
  }
  for (const [name, tested] of Object.entries(module.tests ?? {})) {
    await run('build', ['test', '-c', ...flags, '-o', path.join(into, name), packageOf(tested)]);
  }
}

const isFile = (packageOrFile: string): boolean => packageOrFile.endsWith('.go');

const tagsOf = ({ tags = [] }: GoModule): string => `-tags=${tags.join(',')}`;

/** The folder of a module's files as they were published. */
export async function moduleFiles(go: Go, module: GoModule): Promise<string> {
  const run = goCommand(go, '/', module);
  return (await download(run, module)).Dir;
}

async function download(run: GoCommand, { path, version }: GoModule): Promise<z.infer<typeof downloadedModule>> {
  return downloadedModule.parse(JSON.parse(await run('download', ['mod', 'download', '-json', `${path}@${version}`])));
}

/**
 * The go.mod of a module that requires another. The `replace` lines of a module do not reach modules that require it, so
 * they are written again. A part of its own repository that it replaces by a folder (Kubernetes' staging modules, which
 * it requires as v0.0.0) is published beside it, with 0 in place of the major version.
 */
export function goMod(module: GoModule, goVersion: string | undefined, own: z.infer<typeof modFile>): string {
  const staged = module.version.replace(/^v\d+/, 'v0');
  const versions = new Map((own.Require ?? []).map((one) => [one.Path, one.Version]));
  const replaced = (own.Replace ?? []).flatMap(({ Old, New }) => {
    const old = Old.Version === undefined ? Old.Path : `${Old.Path} ${Old.Version}`;
    if (New.Version !== undefined) return [`replace ${old} => ${New.Path} ${New.Version}`];
    return versions.get(Old.Path) === 'v0.0.0' ? [`replace ${old} => ${Old.Path} ${staged}`] : [];
  });
  const required = (module.requires ?? []).map((one) => `require ${one.replace('@', ' ')}`);
  return [
    'module programs',
    ...(goVersion === undefined ? [] : [`go ${goVersion}`]),
    `require ${module.path} ${module.version}`,
    ...required,
    ...replaced,
    '',
  ].join('\n');
}

/** The versions that the module proxy lists, oldest first; some of them it may still refuse. */
export async function publishedVersions(go: Go, modulePath: string): Promise<readonly string[]> {
  const args = ['list', '-m', '-versions', '-json', modulePath];
  const { stdout, failed } = await execa(go.program, args, { env: go.env, cwd: '/', reject: false });
  if (failed) return [];
  return moduleVersions.parse(JSON.parse(stdout)).Versions ?? [];
}

function linkerVariables({ versionVariables = {} }: GoModule): readonly string[] {
  return Object.entries(versionVariables).map(([variable, value]) => `-X=${variable}=${value}`);
}

type GoCommand = (step: string, args: readonly string[]) => Promise<string>;

function goCommand(go: Go, cwd: string, module: GoModule): GoCommand {
  const env = { ...go.env, CGO_ENABLED: module.usesC === true ? '1' : '0' };
  return async (step, args) => {
    // Compiling takes minutes and should not slow down what somebody waits for.
    const { stdout, stderr, failed } = await execa('nice', ['-n', '5', go.program, ...args], {
      cwd,
      env,
      reject: false,
    });
    if (!failed) return stdout;
    throw new ActionableError({
      what: `${step} the Go module ${module.path} ${module.version}`,
      // `go mod download -json` reports its failure on standard output.
      why: (stderr === '' ? stdout : stderr).split('\n').slice(-15).join('\n'),
      next: 'check that this machine reaches its Go module proxy (go env GOPROXY) and has 5 GB of disk and 4 GB of memory free',
    });
  };
}
