import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { callingCommands } from './calling-commands.ts';
import { checkCloudNames } from './check-cloud-names.ts';
import { checkPackages, importGraph, type Package } from './check-packages.ts';
import { cloudsApart } from './clouds-apart.ts';
import { documentedFolders } from './documented-folders.ts';
import { importCircles } from './import-circles.ts';
import { kubernetesComparisons } from './kubernetes-comparisons.ts';
import { API_LIST, MAY_IMPORT, MAY_NAME } from './may-name-clouds.ts';
import { readSource } from './read-source.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The registries of clouds, and what sets up or tests a cloud. */
const NAMES_CLOUDS = /^clouds\/(control|node)-registry\.ts$|^test\/|\.test\.ts$|\/testdata\//;

interface Manifest {
  readonly name?: string;
  readonly exports?: { readonly './*'?: string };
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifest(folder: string): Manifest {
  const found: Manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  return found;
}

const find = (patterns: readonly string[]): readonly string[] =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) }).toSorted();

const { workspaces = [], devDependencies: tools = {} } = manifest('.');
const packages = find(workspaces.map((pattern) => `${pattern}/package.json`)).map((file): Package => {
  const folder = file.slice(0, -'/package.json'.length);
  const { name = '', exports = {}, dependencies = {}, devDependencies = {} } = manifest(folder);
  return {
    name,
    folder,
    modules: exports['./*'] ?? './*',
    dependencies: Object.keys(dependencies),
    devDependencies: Object.keys(devDependencies),
  };
});
const files = find([...workspaces.map((pattern) => `${pattern}/**/*.{ts,mjs}`), '*.config.ts']);
const sources = files.map((path) => readSource(path, readFileSync(join(ROOT, path), 'utf8')));

const folders = new Set(packages.map(({ folder }) => folder));
const homeless = find(workspaces.filter((pattern) => pattern.endsWith('/*')).map((pattern) => `${pattern}/src`))
  .map((path) => path.slice(0, -'/src'.length))
  .filter((folder) => !folders.has(folder))
  .map((folder) => `${folder} has no package.json`);

const clouds = find(['clouds/*/']).map((folder) => folder.replace(/^clouds\/|\/$/g, ''));
const mayName: Readonly<Record<string, readonly string[]>> = { ...MAY_NAME, [API_LIST]: clouds };
const allowedInVain = Object.keys(mayName)
  .filter((path) => !files.includes(path))
  .map((path) => `${path} may name clouds and does not exist: take it off the list`);
const branches = files
  .filter((path) => !NAMES_CLOUDS.test(path))
  .flatMap((path) =>
    checkCloudNames(path, readFileSync(join(ROOT, path), 'utf8'), {
      // A cloud's own folder may name that cloud.
      clouds: clouds.filter((cloud) => !path.startsWith(`clouds/${cloud}/`)),
      allowed: mayName[path] ?? [],
    }),
  );

const comparisons = files
  .filter((path) => !/^test\/|\.test\.ts$|\/testdata\//.test(path))
  .flatMap((path) => kubernetesComparisons(path, readFileSync(join(ROOT, path), 'utf8')));

/** A table for readers, to which documentation points; a test holds it to the truth. */
const TABLES = ['shared/state-store/src/layout.ts'];

const graph = importGraph(packages, sources);
const circles = importCircles(graph).map((circle) => `a circle of imports: ${[...circle, circle[0]].join(' → ')}`);

const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
const undocumented = ['control/cli/src', 'control/actions/src', 'control/model/src'].flatMap((place) =>
  documentedFolders(
    page,
    place,
    find([`${place}/*/`]).map((folder) => basename(folder)),
  ),
);

const faults = [
  ...undocumented,
  ...callingCommands(packages, sources),
  ...cloudsApart(packages, sources, MAY_IMPORT),
  ...homeless,
  ...checkPackages(packages, sources, { tools: Object.keys(tools), tables: TABLES }),
  ...allowedInVain,
  ...branches,
  ...comparisons,
  ...circles,
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`\n${faults.length} faults of architecture`);
  process.exitCode = 1;
}
