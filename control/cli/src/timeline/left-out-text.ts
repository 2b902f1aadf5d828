import type { ReadTimeline } from '@kopsctl/actions/read-timeline.ts';

/** Sentences about boots that are not shown, and about machines that may be gone. None where all is shown that there is. */
export function leftOutText({
  machines,
  notShown,
  cloudFailure,
}: Pick<ReadTimeline, 'machines' | 'notShown' | 'cloudFailure'>): readonly string[] {
  const shows = '`kopsctl timeline --all-machines` shows them';
  if (cloudFailure === undefined) {
    return notShown === 0 ? [] : [`Boots of machines that are gone are not shown: ${notShown} (${shows})`];
  }
  return [
    `Warning: machines that are gone may be among these, as the cloud could not be asked: ${cloudFailure}`,
    ...(notShown === 0 ? [] : [`Boots before these ${machines.length} are not shown: ${notShown} (${shows})`]),
  ];
}
