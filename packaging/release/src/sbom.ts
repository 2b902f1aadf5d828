import type { NodePackage } from './targets.ts';

interface Component {
  readonly 'bom-ref'?: string;
  readonly name: string;
  readonly version?: string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

/** The parts of npm's CycloneDX document that are changed. */
interface Document {
  readonly serialNumber?: string;
  readonly metadata?: Readonly<Record<string, unknown>> & { readonly component?: Component };
  readonly components?: readonly Component[];
  readonly dependencies?: readonly Dependency[];
}

/** What is in a release. */
export interface Contents {
  /** The packages whose code is in the bundles, as npm refers to them. */
  readonly packages: ReadonlySet<string>;
  /** The Node of each executable. */
  readonly nodes: readonly NodePackage[];
}

/**
 * Makes the SBOM of a release from what `npm sbom` printed about everything that is installed: with what is in the release
 * alone, and without what differs from run to run (a random number, the time, the order). Pure.
 */
export function releaseSbom(printed: string, { packages, nodes }: Contents): string {
  const { serialNumber: _, metadata, components = [], dependencies = [], ...rest }: Document = JSON.parse(printed);
  const { timestamp: __, component, ...lasting } = metadata ?? {};
  const bundled = components.filter((one) => packages.has(refOf(one)));
  const known = new Set(bundled.map(refOf));
  const unknown = [...packages].filter((one) => !known.has(one));
  if (unknown.length > 0) throw new Error(`npm does not know what is in the bundles: ${unknown.join(', ')}`);
  const own = component && refOf(component);
  const isIn = (ref: string): boolean => packages.has(ref) || ref === own;
  const all = [...bundled, ...nodes.map(nodeComponent)];
  return `${JSON.stringify(
    {
      ...rest,
      // npm names the project by the folder that it is in.
      metadata: { ...lasting, component: { ...component, type: 'application', name: 'kopsctl' } },
      components: [...new Map(all.map((one) => [refOf(one), one])).values()].toSorted(by(refOf)),
      dependencies: dependencies
        .filter(({ ref }) => isIn(ref))
        .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter(isIn).toSorted() }))
        .toSorted(by(({ ref }) => ref)),
    },
    undefined,
    2,
  )}\n`;
}

function nodeComponent({ name, version, integrity }: NodePackage): Component {
  const digest = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  const component = {
    'bom-ref': `${name}@${version}`,
    type: 'application',
    name,
    version,
    description: 'Node.js, which is in the executables',
    purl: `pkg:npm/${name}@${version}`,
    hashes: [{ alg: 'SHA-512', content: digest }],
  };
  return component;
}

const refOf = (component: Component): string => component['bom-ref'] ?? `${component.name}@${component.version ?? ''}`;

const by =
  <T>(key: (one: T) => string) =>
  (left: T, right: T): number =>
    key(left) < key(right) ? -1 : key(left) > key(right) ? 1 : 0;
