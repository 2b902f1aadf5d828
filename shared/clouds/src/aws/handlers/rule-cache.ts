import type { SecurityGroupRule } from '@aws-sdk/client-ec2';

/** The rules of security groups: asked for once for all rules of a group, and again when one was changed. */
export class RuleCache {
  readonly #rules = new Map<string, Promise<readonly SecurityGroupRule[]>>();

  of(group: string, load: () => Promise<readonly SecurityGroupRule[]>): Promise<readonly SecurityGroupRule[]> {
    const known = this.#rules.get(group);
    if (known !== undefined) return known;
    const loading = load();
    this.#rules.set(group, loading);
    // A failed question is asked again; whoever waits for this one is told of the failure.
    loading.catch(() => this.forget(group));
    return loading;
  }

  forget(group: string): void {
    this.#rules.delete(group);
  }
}
