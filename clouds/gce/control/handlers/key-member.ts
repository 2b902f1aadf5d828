import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { stateKeyOf } from '@kopsctl/spec/state-key.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { KEY_ROLES, keyMemberTask } from '../model/key-members.ts';
import { CONTROL_PLANE_MEMBER } from '../model/service-accounts.ts';
import { isNotFound } from './google-error.ts';
import { parsePolicy, POLICY_VERSION } from './iam-policy.ts';
import { memberOf, membershipHandler, type PolicyOwner, unlessGone } from './memberships.ts';

/** The policy of a key of Cloud KMS (cloud.google.com/kms/docs/reference/rest/v1/projects.locations.keyRings.cryptoKeys/setIamPolicy). */
const keyPolicy = (key: string): PolicyOwner => ({
  async read({ api, endpoints }, signal) {
    const url = `${endpoints.kms}/v1/${key}:getIamPolicy?options.requestedPolicyVersion=${POLICY_VERSION}`;
    try {
      return parsePolicy(new AnswerFields(await api.call({ method: 'GET', url }, signal), 'Cloud KMS'));
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown;
      throw new PermanentError({
        what: `give control planes their rights to the key ${key}`,
        why: 'there is no such key',
        next: 'create it (`gcloud kms keys create --purpose encryption`), or name another one in kopsctl.io/state-key',
        cause: thrown,
      });
    }
  },
  async write({ api, endpoints }, { bindings, etag }, signal) {
    const url = `${endpoints.kms}/v1/${key}:setIamPolicy`;
    // Without a mask of its own a change leaves everything but bindings as it is, such as what is logged.
    const body = { policy: { version: POLICY_VERSION, bindings, etag } };
    await api.call({ method: 'POST', url, body }, signal);
  },
});

export const keyMemberHandler = membershipHandler<'gce/KeyMember'>({
  kind: 'gce/KeyMember',
  ownerOf: ({ key }) => keyPolicy(key),
  wanted: ({ role, account }) => ({ role, member: memberOf(account) }),
  isFormer: (one, wanted) => one.role === wanted.role && one.condition === undefined,
  // A key that the spec no longer names is not looked at: what it opened is no longer sealed with it.
  owners: ({ cluster }) =>
    (stateKeyOf(cluster)?.opensWith ?? []).map((key) => ({
      owner: unlessGone(keyPolicy(key)),
      what: `the key ${key}`,
      taskOf: ({ role, member, condition }) =>
        member.startsWith('deleted:') || condition !== undefined ? `${role} ${member}` : keyMemberTask(role, key),
      isMade: ({ role, condition }, account) =>
        account === CONTROL_PLANE_MEMBER.account && KEY_ROLES.includes(role) && condition === undefined,
    })),
});
