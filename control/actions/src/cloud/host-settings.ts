import { isAbsolute } from 'node:path';
import type { HostSettings } from '@kopsctl/model/cloud.ts';
import { stateIdentityOf } from '../store/state-keys.ts';

/** Where prepared assets are unless told otherwise. */
const DEFAULT_ASSETS_DIR = '/var/cache/kopsctl/assets';

/** What a cloud is told of this computer. */
export function hostSettings(env: NodeJS.ProcessEnv, assetsDir: string | undefined): HostSettings {
  const dir = env['KOPSCTL_LOCAL_DIR'];
  return {
    ...(dir === undefined ? {} : { dir }),
    assetsDir: assetsDir ?? DEFAULT_ASSETS_DIR,
    stateIdentity: stateIdentityOf(env),
    ownCommand: ownCommand(),
  };
}

/** In a single executable argv[1] is not a script but the name as it was typed, so only an absolute path that differs counts. */
function ownCommand(): readonly string[] {
  const script = process.argv[1];
  if (script !== undefined && isAbsolute(script) && script !== process.execPath && /\.(ts|cjs|mjs|js)$/.test(script)) {
    return [process.execPath, script];
  }
  return [process.execPath];
}
