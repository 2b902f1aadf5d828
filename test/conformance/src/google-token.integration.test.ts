import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';

test('credentials are looked for without starting gcloud, which takes seconds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-gcloud-'));
  try {
    await writeFile(join(folder, 'gcloud'), `#!/bin/sh\n: >${folder}/was-started\n`);
    await chmod(join(folder, 'gcloud'), 0o755);
    const user = { type: 'authorized_user', client_id: 'c', client_secret: 's', refresh_token: 'r' };
    await writeFile(join(folder, 'credentials.json'), JSON.stringify(user));
    const { stderr } = await execa(process.execPath, [join(import.meta.dirname, 'who-calls-google.ts')], {
      extendEnv: false,
      env: {
        PATH: `${folder}:/usr/bin:/bin`,
        HOME: folder,
        GOOGLE_APPLICATION_CREDENTIALS: join(folder, 'credentials.json'),
        // Nothing answers there: looking for credentials ends with the attempt to get a token for them.
        HTTPS_PROXY: 'http://127.0.0.1:1',
      },
      reject: false,
    });
    expect(stderr).toContain('127.0.0.1:1');
    expect(await readdir(folder)).not.toContain('was-started');
  } finally {
    await rm(folder, { recursive: true });
  }
});
