import { ROOT } from '@kopsctl/packaging-binary/bundle.ts';
import { execa } from 'execa';

/**
 * What npm says of all that is installed here, as a document of CycloneDX. With `--omit=dev` it would leave out packages that
 * are needed for development as well, such as execa.
 */
export async function npmSbom(): Promise<string> {
  const { stdout } = await execa('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], { cwd: ROOT });
  return stdout;
}
