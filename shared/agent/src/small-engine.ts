import { setFlagsFromString } from 'node:v8';

/**
 * Turns off V8's optimising compilers. An agent sleeps most of the time and runs too little code often enough to gain
 * from them, but pays with megabytes of memory and, when all machines start at once, with a third of its processor
 * time. Must be called after everything is loaded: V8 rejects cached code that was made with other flags.
 */
export function keepEngineSmall(): void {
  setFlagsFromString('--no-turbofan');
  setFlagsFromString('--no-maglev');
}

/**
 * Has V8 collect garbage each time the heap has grown by a third. By default, V8 lets an agent that suddenly has much
 * to do fill some tens of megabytes first.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--optimize-for-size');
}
