import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The modules of a package that were loaded after importing a file of ours, found in a fresh process. */
function loadedAfterImporting(file: string): string {
  const url = new URL(file, import.meta.url).href;
  const program = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { if (/node_modules/.test(url)) console.log(url); return next(url, context); } });
    await import(${JSON.stringify(url)});`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
}

test.each(['authority.ts', 'issue.ts', 'inspect.ts', 'keyset-store.ts'])(
  '%s loads no X.509 library by itself',
  (file) => {
    expect(loadedAfterImporting(file)).not.toMatch(/x509|reflect-metadata|asn1/);
  },
);
