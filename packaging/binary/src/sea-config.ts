/** What all single executables have in common in the configuration from which Node writes a blob. */
export const seaConfig = ({
  flags,
  useCodeCache,
}: {
  readonly flags: readonly string[];
  readonly useCodeCache: boolean;
}) => ({
  disableExperimentalSEAWarning: true,
  useCodeCache,
  useSnapshot: false,
  // Otherwise NODE_OPTIONS in the environment of a root service could load other code.
  execArgvExtension: 'none',
  execArgv: flags,
});
