import pLimit, { type LimitFunction } from 'p-limit';

/** How many machines are called at once, talk at once, and talk at once although they did not prove themselves before. */
export interface Bounds {
  readonly called: number;
  readonly talking: number;
  readonly doubtful: number;
}

/**
 * A connection on which nothing is read yet takes a few KiB. One to a machine that does not answer is given up after three
 * seconds, so a thousand such machines are all called within twelve.
 *
 * A machine that talks takes half a MiB: buffers of TLS, HTTP, certificates. It needs about half a second for everything, most
 * of it for its certificate to be signed, so thirty machines join in a second.
 *
 * A machine that did not prove itself may be hostile, and take all the time that it gets. Those have a queue of their own.
 */
const BOUNDS: Bounds = { called: 256, talking: 16, doubtful: 4 };

/** Bounds what all calls together take. First come, first served. */
export type Turns = Readonly<Record<keyof Bounds, LimitFunction>>;

export const turns = ({ called, talking, doubtful } = BOUNDS): Turns => ({
  called: pLimit(called),
  talking: pLimit(talking),
  doubtful: pLimit(doubtful),
});
