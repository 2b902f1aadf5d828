import { readFileSync } from 'node:fs';

/**
 * Shifts the wall clock of this process by the number of milliseconds in a file, as a person or a time server would. Timers
 * and the monotonic clock are not affected, as on a real machine.
 */
export function shiftClock(file: string): void {
  const RealDate = Date;
  const offsetMs = (): number => {
    try {
      return Number(readFileSync(file, 'utf8'));
    } catch {
      return 0;
    }
  };
  const now = (): number => RealDate.now() + offsetMs();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[], type) => Reflect.construct(target, args.length === 0 ? [now()] : args, type),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
