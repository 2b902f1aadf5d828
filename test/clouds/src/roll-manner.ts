/** How machines are replaced without an API server: other tests cover what is asked of it. */
export const WITHOUT_API = {
  force: false,
  cloudOnly: true,
  interactive: false,
  budget: '25%',
  drainTimeoutMs: 1_000,
  postDrainDelayMs: 0,
  validationTimeoutMs: 60_000,
  validateCount: 1,
  failOnDrainError: true,
  failOnValidateError: true,
  intervalsMs: { Bastion: 0, ControlPlane: 0, APIServer: 0, Node: 0 },
  ask: async () => true,
};
