import { isNotFound } from './aws-error.ts';

/** The answer to a question, or undefined where what it is about is not there. */
export async function unlessGone<Result>(question: Promise<Result>): Promise<Result | undefined> {
  try {
    return await question;
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw thrown;
  }
}
