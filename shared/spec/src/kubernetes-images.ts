/** Where Kubernetes publishes its images. It has those of every version; k8s.gcr.io, the registry before it, is frozen. */
export const KUBERNETES_REGISTRY = 'registry.k8s.io';

/** The image of the container that holds a pod's namespaces (kops pkg/model/components/containerd.go). */
export const PAUSE_IMAGE = `${KUBERNETES_REGISTRY}/pause:3.10.1`;
