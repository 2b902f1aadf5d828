import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from optimising. An agent that sleeps most of its life runs little often enough to gain by it, and pays for it
 * with megabytes of compilers and, just when all machines start at once, with a third of its processor time.
 * Called once everything is loaded: code that was cached for other flags is not taken.
 */
export function keepEngineSmall(): void {
  setFlagsFromString('--no-turbofan');
  setFlagsFromString('--no-maglev');
}
