import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGoogleApi } from '@kopsctl/google/google-api.ts';
import { googleCredentials, googleToken } from '@kopsctl/state-store/gcs/gcs-token.ts';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';

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

test('a machine whose metadata server answers late gets its token then', async () => {
  let isUp = false;
  const server = createServer((_request, response) => {
    response.setHeader('Metadata-Flavor', 'Google');
    response.setHeader('Content-Type', 'application/json');
    response.statusCode = isUp ? 200 : 503;
    response.end(JSON.stringify({ access_token: 'late', expires_in: 3600, token_type: 'Bearer' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-metadata-'));
  try {
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${port}`);
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', undefined);
    vi.stubEnv('HOME', folder);
    const token = googleToken(undefined, 0);
    await expect(token(undefined)).rejects.toThrow(/Could not (load the default credentials|refresh access token)/);
    isUp = true;
    expect(await token(undefined)).toBe('late');
  } finally {
    vi.unstubAllEnvs();
    server.close();
    await rm(folder, { recursive: true });
  }
});

test("a person's requests count against the project that their credentials name", async () => {
  const seen: (string | string[] | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers['x-goog-user-project']);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-quota-'));
  try {
    const { port } = server.address() as AddressInfo;
    const person = { type: 'authorized_user', client_id: 'a', client_secret: 'b', refresh_token: 'c' };
    await writeFile(join(folder, 'adc.json'), JSON.stringify({ ...person, quota_project_id: 'billed' }));
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(folder, 'adc.json'));
    vi.stubEnv('GOOGLE_CLOUD_QUOTA_PROJECT', undefined);
    const ask = async (): Promise<unknown> => {
      const { quotaProject } = googleCredentials('https://www.googleapis.com/auth/cloud-platform');
      const api = openGoogleApi(async () => 'token', { quotaProject });
      return api.call({ method: 'GET', url: `http://127.0.0.1:${port}/v1/keys` }, AbortSignal.any([]));
    };
    await ask();
    vi.stubEnv('GOOGLE_CLOUD_QUOTA_PROJECT', 'other');
    await ask();
    expect(seen).toEqual(['billed', 'other']);
  } finally {
    vi.unstubAllEnvs();
    server.close();
    await rm(folder, { recursive: true });
  }
});
