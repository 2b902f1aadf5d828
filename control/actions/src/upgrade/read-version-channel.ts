import { readFile } from 'node:fs/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Channel } from '@kopsctl/model/upgrade/channel.ts';
import { STABLE_CHANNEL } from '@kopsctl/model/upgrade/stable-channel.ts';
import { readFromWeb } from '../files/read-url.ts';
import { parseChannel } from './parse-channel.ts';

/** Where kops looks for channels that are named by one word (pkg/apis/kops/channel.go). */
const CHANNELS_URL = 'https://raw.githubusercontent.com/kubernetes/kops/master/channels/';

const MAX_BYTES = 1_000_000;

/** kops's name of a channel that recommends nothing. */
const NONE = 'none';

/** The channel of that name, URL or file, as kops has it in `spec.channel`. The stable one is part of this program. */
export async function readVersionChannel(location: string, signal: AbortSignal): Promise<Channel> {
  if (location === 'stable') return STABLE_CHANNEL;
  if (location === NONE) return { kubernetes: undefined, advice: [], images: [] };
  const url = urlOf(location);
  try {
    return parseChannel(await readText(url, signal));
  } catch (cause) {
    signal.throwIfAborted();
    throw new ActionableError({
      what: `read the channel ${location}`,
      why: messageOf(cause),
      next: 'name `stable`, which is part of kopsctl, a URL or a file with --channel; or the version itself with --kubernetes-version',
      cause,
    });
  }
}

/** Whether a channel has to be fetched. */
export const isFarChannel = (location: string): boolean =>
  location !== 'stable' && location !== NONE && isOfWeb(urlOf(location));

const urlOf = (location: string): string => (/^[a-z]+$/.test(location) ? `${CHANNELS_URL}${location}` : location);
const isOfWeb = (url: string): boolean => /^https?:/.test(url);

async function readText(url: string, signal: AbortSignal): Promise<string> {
  if (!isOfWeb(url)) return readFile(url.replace(/^file:\/\//, ''), 'utf8');
  return readFromWeb(url, MAX_BYTES, signal);
}
