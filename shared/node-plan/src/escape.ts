/** Escapes a user's text, so that nothing in it is read as a fact token. */
export function escapeFacts(text: string): string {
  return text.replaceAll('@{', '@@{');
}
