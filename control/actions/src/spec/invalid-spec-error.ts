import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { formatFieldError, type FieldError } from '@kopsctl/spec/field-error.ts';

/** A spec that a person has to fix. The command exits with 3. */
export class InvalidSpecError extends ActionableError {
  override readonly name = 'InvalidSpecError';
  readonly errors: readonly FieldError[];
  constructor(what: string, errors: readonly FieldError[]) {
    super({
      what,
      why: `${errors.length === 1 ? 'one thing is' : `${errors.length} things are`} wrong\n${errors.map((error) => `  ${formatFieldError(error)}`).join('\n')}`,
      next: 'fix these and repeat the command; `kopsctl toolbox schema Cluster` lists every field',
    });
    this.errors = errors;
  }
}
