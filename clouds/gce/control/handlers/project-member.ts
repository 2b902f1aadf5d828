import { AnswerFields } from '@kopsctl/google/answer-fields.ts';
import { CONTROL_PLANE_MEMBER } from '../model/service-accounts.ts';
import { parsePolicy, POLICY_VERSION } from './iam-policy.ts';
import { memberOf, membershipHandler, type PolicyOwner } from './memberships.ts';

/** The policy of a project (https://cloud.google.com/resource-manager/reference/rest/v1/projects/setIamPolicy). */
const projectPolicy = (project: string): PolicyOwner => ({
  async read({ api, endpoints }, signal) {
    const url = `${endpoints.resourceManager}/v1/projects/${project}:getIamPolicy`;
    const body = { options: { requestedPolicyVersion: POLICY_VERSION } };
    return parsePolicy(new AnswerFields(await api.call({ method: 'POST', url, body }, signal), 'Resource Manager'));
  },
  async write({ api, endpoints }, { bindings, etag }, signal) {
    const url = `${endpoints.resourceManager}/v1/projects/${project}:setIamPolicy`;
    // Without a mask of its own a change leaves everything but bindings as it is, such as what is logged.
    const body = { policy: { version: POLICY_VERSION, bindings, etag } };
    await api.call({ method: 'POST', url, body }, signal);
  },
});

export const projectMemberHandler = membershipHandler<'gce/ProjectMember'>({
  kind: 'gce/ProjectMember',
  ownerOf: ({ project }) => projectPolicy(project),
  wanted: ({ role, account }) => ({ role, member: memberOf(account) }),
  isFormer: (one, wanted) => one.role === wanted.role && one.condition === undefined,
  owners: ({ project }) => [
    {
      owner: projectPolicy(project),
      what: `the project ${project}`,
      taskOf: ({ role, member, condition }) =>
        role === CONTROL_PLANE_MEMBER.role && condition === undefined && !member.startsWith('deleted:')
          ? CONTROL_PLANE_MEMBER.task
          : `${role} ${member}`,
      isMade: ({ role, condition }, account) =>
        account === CONTROL_PLANE_MEMBER.account && role === CONTROL_PLANE_MEMBER.role && condition === undefined,
    },
  ],
});
