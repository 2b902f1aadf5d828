/** When a boot began (Unix time in milliseconds), for a person. The machine says so, and what it says may not be a time. */
export const startText = (startMs: number | undefined): string =>
  startMs === undefined
    ? 'at an unknown time (its report has no start that can be read)'
    : `at ${new Date(startMs).toISOString()}`;
