import { type Repeating, repeatPassing } from '../phases/repeat-passing.ts';
import type { Journal, JournalEntry } from './journal.ts';

/**
 * A journal that is asked again while its store is away for a moment. Work that goes on for hours would otherwise end with
 * the first request that fails. A write whose answer was lost finds what it has written, so it may be repeated.
 */
export const repeatedJournal = <Entry extends JournalEntry>(
  journal: Journal<Entry>,
  repeating: Repeating,
  signal: AbortSignal,
): Journal<Entry> => ({
  get entry() {
    return journal.entry;
  },
  write: (entry) => repeatPassing(() => journal.write(entry), repeating, signal),
  refresh: () => repeatPassing(() => journal.refresh(), repeating, signal),
});
