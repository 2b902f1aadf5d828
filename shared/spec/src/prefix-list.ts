/** Whether a text names a list of ranges that a cloud keeps. Only a cloud with the trait `hasPrefixLists` knows what is in it. */
export const isPrefixList = (text: string): boolean => text.startsWith('pl-');
