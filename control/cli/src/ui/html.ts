import { escapeHtml } from '../output/escape-html.ts';

/** A piece of a page. Everything that comes into it by `html` is text, unless it is such a piece itself. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | undefined | Html | readonly Html[];

/** Markup with values in it. Values are escaped: names and messages come from machines and clouds. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = texts.map((text, index) => text + markupOf(parts[index])).join('');
  return { markup };
}

/** A picture that this program has drawn. It has escaped what is in it. */
export const drawn = (markup: string): Html => ({ markup });

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map((one) => one.markup).join('');
}
