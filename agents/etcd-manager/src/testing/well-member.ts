import type { OwnState } from '../own-member.ts';

/** What a machine knows about its own member where nothing is wrong. */
export const WELL_MEMBER: OwnState = {
  member: 'a',
  decision: 'nothing: serving',
  hasData: true,
  hasServed: true,
  holdsEtcd2: false,
  isWell: true,
  othersLead: false,
};
