import { AUTHORITY_SYSTEM_USER } from '@kopsctl/systemd/node-authority.service.ts';

/** The task that adds the user of the authority. Packet rules and the broker's socket name it, and come after it. */
export const AUTHORITY_ACCOUNT = `User/${AUTHORITY_SYSTEM_USER}` as const;
