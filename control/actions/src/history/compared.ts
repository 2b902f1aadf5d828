/** What `diff` compares: what people wrote, that with everything inferred, or what machines of each group are told to be. */
export const COMPARED = ['spec', 'completed', 'node-plans'] as const;

export type Compared = (typeof COMPARED)[number];
