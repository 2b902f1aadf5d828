import * as z from 'zod';

const roleSchema = z.enum(['ControlPlane', 'Node', 'Bastion', 'APIServer']);

/** What a person asked of a rolling update, so that the process that continues it does neither more nor anything else. */
export const askedSchema = z.strictObject({
  /** Only machines of these groups, of these roles, and with these ids; without a restriction all that are outdated. */
  instanceGroups: z.array(z.string()).readonly().optional(),
  roles: z.array(roleSchema).readonly().optional(),
  machines: z.array(z.string()).readonly().optional(),
  /** It is about one machine, whatever the spec says of its group. */
  ofOne: z.strictObject({ surges: z.boolean() }).readonly().optional(),
  force: z.boolean(),
  inPlace: z.boolean(),
  cloudOnly: z.boolean(),
  interactive: z.boolean(),
  budget: z.string(),
  drainTimeoutMs: z.number(),
  postDrainDelayMs: z.number(),
  validationTimeoutMs: z.number(),
  validateCount: z.int(),
  failOnDrainError: z.boolean(),
  failOnValidateError: z.boolean(),
  intervalsMs: z.record(roleSchema, z.number()),
});
export type Asked = z.infer<typeof askedSchema>;

type Wishes = { readonly [Key in keyof Asked]?: Asked[Key] | undefined } & Omit<
  Asked,
  'instanceGroups' | 'roles' | 'machines' | 'ofOne' | 'inPlace'
>;

/** The part of a request that is written down. Pure. */
export const askedOf = ({ instanceGroups, roles, machines, ofOne, inPlace = false, ...request }: Wishes): Asked => ({
  ...(instanceGroups && { instanceGroups }),
  ...(roles && { roles }),
  ...(machines && { machines }),
  ...(ofOne && { ofOne }),
  inPlace,
  force: request.force,
  cloudOnly: request.cloudOnly,
  interactive: request.interactive,
  budget: request.budget,
  drainTimeoutMs: request.drainTimeoutMs,
  postDrainDelayMs: request.postDrainDelayMs,
  validationTimeoutMs: request.validationTimeoutMs,
  validateCount: request.validateCount,
  failOnDrainError: request.failOnDrainError,
  failOnValidateError: request.failOnValidateError,
  intervalsMs: request.intervalsMs,
});
