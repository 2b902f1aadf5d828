/** Makes a text that a user gave mean itself in a plan, even where it looks like a fact token. */
export function escapeFacts(text: string): string {
  return text.replaceAll('@{', '@@{');
}
