import { describeStateStore } from './testing/conformance.ts';
import { createMemoryStore } from './memory.ts';

describeStateStore('memory', async () => {
  const store = createMemoryStore();
  return { store, another: store, close: async () => undefined };
});
