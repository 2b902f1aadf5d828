import type { ParseResult } from '@kopsctl/spec/parse.ts';
import { isOwnKind } from '../store/object-paths.ts';
import { furtherFaults } from './further-faults.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';

/** Refuses files that cannot be read as objects. @throws InvalidSpecError with everything that is wrong with them */
export function refuseFaultyFiles(files: readonly string[], parsed: readonly ParseResult[]): void {
  const errors = parsed.flatMap((one) => one.errors);
  if (errors.length === 0) return;
  const further = furtherFaults(parsed);
  const withFaults = parsed.flatMap(({ objects, faulty }) => (further.length > 0 ? [...objects, ...faulty] : faulty));
  const kinds = new Set(withFaults.map(({ kind }) => kind).filter(isOwnKind));
  throw new InvalidSpecError(`read ${files.join(', ')}`, [...errors, ...further], [...kinds]);
}
