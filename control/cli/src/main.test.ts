import { HOST_PROCESS } from '@kopsctl/model/host-process.ts';
import { expect, test } from 'vitest';
import { main } from './main.ts';

test('What follows `host-process NAME` is for the process of that cloud', async () => {
  await expect(main([HOST_PROCESS, 'local-supervisor', '--cluster', 'demo'], {})).rejects.toThrow(
    'local-supervisor needs --dir and --cluster',
  );
});
