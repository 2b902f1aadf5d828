import { ActionableError, type ActionableErrorDetail } from '@kopsctl/errors/actionable-error.ts';

/** The error for a command line that asks for nothing that kopsctl can do: the exit code is 3, whatever the command. */
export const usageError = (detail: ActionableErrorDetail): ActionableError =>
  new ActionableError({ ...detail, isUsage: true });
