import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { type Document, parseAllDocuments } from 'yaml';

const GROUP = 'kubescheduler.config.k8s.io/';

/**
 * What a person configured for the scheduler among the additional objects of a cluster (kops
 * pkg/model/components/kubescheduler/model.go): it is not an object of the API, but the scheduler's own file.
 *
 * @throws ActionableError where there are two
 */
export function schedulerConfiguration(additionalObjects: string | undefined): JsonObject | undefined {
  const [found, ...others] = documentsOf(additionalObjects).filter(isSchedulerConfiguration);
  if (others.length > 0) {
    throw new ActionableError({
      what: 'configure the scheduler',
      why: `the additional objects of the cluster hold ${others.length + 1} objects of the kind KubeSchedulerConfiguration`,
      next: 'keep one of them',
    });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain data, whose schema is the scheduler's own
  return found?.toJS() as JsonObject | undefined;
}

/** The objects that are to be applied, as they were written. */
export function withoutSchedulerConfiguration(additionalObjects: string): string {
  const documents = documentsOf(additionalObjects);
  if (!documents.some(isSchedulerConfiguration)) return additionalObjects;
  return documents
    .filter((document) => !isSchedulerConfiguration(document))
    .map((document) => String(document).replace(/^---\n/, ''))
    .join('---\n');
}

function documentsOf(text = ''): readonly Document[] {
  const documents = parseAllDocuments(text);
  return Array.isArray(documents) ? documents : [];
}

function isSchedulerConfiguration(document: Document): boolean {
  const [apiVersion, kind] = [document.get('apiVersion'), document.get('kind')];
  return typeof apiVersion === 'string' && apiVersion.startsWith(GROUP) && kind === 'KubeSchedulerConfiguration';
}
