import { readFileSync } from 'node:fs';

/**
 * Makes this process believe that it is as much later (or earlier) as a file says, in milliseconds. Only the wall clock
 * is moved, as by a person or a time server; timers and the monotonic clock go on, as they do on a real machine.
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
