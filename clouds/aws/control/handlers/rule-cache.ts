import type { SecurityGroupRule } from '@aws-sdk/client-ec2';

/** The rules of security groups. They are loaded once per group, and again after a change. */
export class RuleCache {
  readonly #rules = new Map<string, Promise<readonly SecurityGroupRule[]>>();

  of(group: string, load: () => Promise<readonly SecurityGroupRule[]>): Promise<readonly SecurityGroupRule[]> {
    const known = this.#rules.get(group);
    if (known !== undefined) return known;
    const loading = load();
    this.#rules.set(group, loading);
    // A failed load is not cached; callers that wait for it get the error.
    loading.catch(() => this.forget(group));
    return loading;
  }

  forget(group: string): void {
    this.#rules.delete(group);
  }
}
