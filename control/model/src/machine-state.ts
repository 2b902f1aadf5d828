/** The state of a machine that no cloud lists: whether it runs, only its Node tells. */
export const ENROLLED = 'enrolled';

/** Whether a machine in this state of its cloud runs, as far as anybody but its Node can tell. */
export const mayRun = (state: string): boolean => state === 'running' || state === ENROLLED;
