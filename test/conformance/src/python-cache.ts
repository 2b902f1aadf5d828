import { join } from 'node:path';

/**
 * Where Python keeps what it has compiled of packages that are unpacked, not installed: compiling takes half of the
 * time of a start.
 */
export const PYTHON_CACHE = join(import.meta.dirname, '../../../node_modules/.cache/python');
