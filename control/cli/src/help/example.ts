/** A command line, and what it is for. */
export type Example = readonly [purpose: string, line: string];

/** Examples of commands, by the words that name the command. */
export type Examples = Readonly<Record<string, readonly Example[]>>;
