/** Tests of the suite that are run in the same way. */
export interface TestSet {
  readonly name: string;
  /** In ginkgo's language of labels. */
  readonly labels: string;
  /** How many run side by side. */
  readonly processes: number;
}

/** The tests that may run side by side with any other, and the tests that change a node or the cluster as a whole. */
export const SETS: readonly TestSet[] = [
  { name: 'side by side', labels: 'Conformance && !(Serial || Disruptive)', processes: 12 },
  { name: 'one after the other', labels: 'Conformance && (Serial || Disruptive)', processes: 1 },
];

/** What failed in one of them. */
export const AGAIN: TestSet = { name: 'again', labels: 'Conformance', processes: 1 };
