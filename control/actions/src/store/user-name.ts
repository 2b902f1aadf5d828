import { userInfo } from 'node:os';

/** The name of the user who runs this process. Containers run processes of users that have none: those are told by number. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
