/** A word of a list, and whether quotes enclosed it. */
export interface ListedWord {
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * The words of a list that commas separate, as kops reads such flags: like a line of CSV (RFC 4180), in which a word that starts
 * with a double quote goes up to the next one, commas and all, and holds quotes that are doubled. A quote elsewhere stands
 * for itself (kops cmd/kops/flags_stringslice_lazyquotes.go).
 */
export function wordsWithCommas(text: string): readonly ListedWord[] {
  if (text === '') return [];
  const words: ListedWord[] = [];
  // A quote within a quoted word that neither another quote nor the end of the word follows is one of the word.
  const word = /"((?:[^"]|""|"(?!,|$))*)(?:"(?=,|$)|$)|([^,]*)/y;
  for (let at = 0; at <= text.length; at = word.lastIndex + 1) {
    word.lastIndex = at;
    const [, quoted, plain = ''] = word.exec(text) ?? [];
    words.push({ text: quoted?.replaceAll('""', '"') ?? plain, isQuoted: quoted !== undefined });
  }
  return words;
}
