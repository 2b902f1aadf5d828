// Runs after `npm ci`. Later: bundles the CLI so that node_modules/.bin/kopsctl starts fast.
