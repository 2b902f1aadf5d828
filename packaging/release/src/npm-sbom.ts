import { ROOT } from '@kopsctl/packaging-binary/bundle.ts';
import { execa } from 'execa';

/** What runs in a release: packages that only build or test it are not part of it. */
const SHIPPED = ['cli', 'nodeup', 'protokube', 'etcd-manager', 'node-authority'];

/** What npm says a release is made of, as a document of CycloneDX. */
export async function npmSbom(): Promise<string> {
  const workspaces = SHIPPED.map((name) => `--workspace=@kopsctl/${name}`);
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', ...workspaces];
  const { stdout } = await execa('npm', args, { cwd: ROOT });
  return stdout;
}
