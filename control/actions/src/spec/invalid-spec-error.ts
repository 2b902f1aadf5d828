import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { formatFieldError, type FieldError } from '@kopsctl/spec/field-error.ts';
import type { OwnKind } from '../store/object-paths.ts';

/** A spec that a person has to fix. The command exits with 3. */
export class InvalidSpecError extends ActionableError {
  override readonly name = 'InvalidSpecError';
  readonly errors: readonly FieldError[];

  /** @param kinds those of the objects with faults, as far as they are known */
  constructor(what: string, errors: readonly FieldError[], kinds: readonly OwnKind[] = ['Cluster', 'InstanceGroup']) {
    super({
      what,
      why: `${errors.length === 1 ? 'one thing is' : `${errors.length} things are`} wrong\n${errors.map((error) => `  ${formatFieldError(error)}`).join('\n')}`,
      next: `fix these and repeat the command${schemasOf(errors, kinds)}`,
    });
    this.errors = errors;
  }
}

/** Where the fields are listed. What is wrong with a whole document, as its syntax, is no matter of fields. */
function schemasOf(errors: readonly FieldError[], kinds: readonly OwnKind[]): string {
  if (kinds.length === 0 || errors.every(({ path }) => path === '')) return '';
  const commands = kinds.map((kind) => `\`kopsctl toolbox schema ${kind}\``);
  return `; ${commands.join(' and ')} ${kinds.length === 1 ? 'lists' : 'list'} every field`;
}
