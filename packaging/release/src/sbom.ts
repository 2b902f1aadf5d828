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

/**
 * Makes the SBOM of a release from what `npm sbom` printed: with each Node that is in an executable, and without what
 * differs from run to run (a random number, the time, the order). Pure.
 */
export function releaseSbom(printed: string, nodes: readonly NodePackage[]): string {
  const { serialNumber: _, metadata, components = [], dependencies = [], ...rest }: Document = JSON.parse(printed);
  const { timestamp: __, component, ...lasting } = metadata ?? {};
  const all = [...components, ...nodes.map(nodeComponent)];
  return `${JSON.stringify(
    {
      ...rest,
      // npm names the project by the folder that it is in.
      metadata: { ...lasting, component: { ...component, type: 'application', name: 'kopsctl' } },
      components: [...new Map(all.map((one) => [refOf(one), one])).values()].toSorted(by(refOf)),
      dependencies: dependencies
        .map((one) => ({ ...one, dependsOn: [...(one.dependsOn ?? [])].toSorted() }))
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
