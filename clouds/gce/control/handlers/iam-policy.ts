import type { AnswerFields } from '@kopsctl/google/answer-fields.ts';

/** The members of a role, perhaps limited by a condition (https://cloud.google.com/iam/docs/policies). */
export interface Binding {
  readonly role: string;
  readonly members: readonly string[];
  readonly condition?: { readonly title: string; readonly expression: string; readonly description?: string };
}

export interface Policy {
  readonly bindings: readonly Binding[];
  /** A policy that somebody has changed meanwhile is not overwritten. */
  readonly etag: string;
}

/** A role of one member. */
export interface Membership {
  readonly role: string;
  readonly member: string;
  readonly condition?: { readonly title: string; readonly expression: string };
}

/** The version of policies that have conditions. A program that reads an older version would lose them when it writes. */
export const POLICY_VERSION = 3;

export const parsePolicy = (answer: AnswerFields): Policy => ({
  bindings: answer.list('bindings').map((binding) => ({
    role: binding.text('role'),
    members: binding.texts('members'),
    ...(binding.has('condition') && { condition: conditionOf(binding.object('condition')) }),
  })),
  etag: answer.text('etag'),
});

const conditionOf = (condition: AnswerFields) => ({
  title: condition.text('title', ''),
  expression: condition.text('expression'),
  ...(condition.has('description') && { description: condition.text('description') }),
});

/** The roles of the members that `isMeant` selects. */
export const membershipsIn = (
  { bindings }: Policy,
  isMeant: (membership: Membership) => boolean,
): readonly Membership[] =>
  bindings
    .flatMap(({ role, members, condition }) =>
      members.map((member): Membership => ({ role, member, ...(condition && { condition }) })),
    )
    .filter(isMeant);

const isOf = (binding: Binding, { role, condition }: Membership): boolean =>
  binding.role === role &&
  binding.condition?.title === condition?.title &&
  binding.condition?.expression === condition?.expression;

/** The bindings with one more member; all others keep what they have. */
export function withMember(bindings: readonly Binding[], membership: Membership): readonly Binding[] {
  const { role, member, condition } = membership;
  const at = bindings.findIndex((binding) => isOf(binding, membership));
  if (at === -1) return [...bindings, { role, members: [member], ...(condition && { condition }) }];
  return bindings.map((binding, index) =>
    index === at ? { ...binding, members: [...new Set([...binding.members, member])] } : binding,
  );
}

/** The bindings without a member. Google refuses a binding without any. */
export const withoutMember = (bindings: readonly Binding[], membership: Membership): readonly Binding[] =>
  bindings
    .map((binding) =>
      isOf(binding, membership)
        ? { ...binding, members: binding.members.filter((member) => member !== membership.member) }
        : binding,
    )
    .filter(({ members }) => members.length > 0);
