import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'its file system is full',
  EDQUOT: 'the quota of its file system is used up',
  EROFS: 'its file system is read-only',
};

/** Whether the disk caused the error. */
export function isOfTheDisk(error: unknown): boolean {
  return REASONS[codeOf(error) ?? ''] !== undefined;
}

/** Whether there is no more room. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
}

export function cannotWrite(path: string, error: unknown): ActionableError {
  return new ActionableError({
    what: `write ${path}`,
    why: REASONS[codeOf(error) ?? ''] ?? messageOf(error),
    next: `make room: df -h ${path.slice(0, path.lastIndexOf('/')) || '/'}; what is already there is kept`,
    cause: error,
  });
}
