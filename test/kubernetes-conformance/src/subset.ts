/**
 * Tests of the suite that run with every change: a few of each area, those first that depend on how a cluster is set up
 * (networks, names, certificates, what kubelet may do) rather than on Kubernetes alone, and none that takes minutes or needs an
 * image that alone takes minutes to compile. None may depend on luck either: the test of resizing a Pod by the replace endpoint
 * is refused if kubelet has written the Pod's status since the test read it.
 */
export const SUBSET: readonly string[] = [
  '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should mutate configmap',
  '[sig-api-machinery] AdmissionWebhook [Privileged:ClusterAdmin] should be able to deny attaching pod',
  '[sig-api-machinery] CustomResourceConversionWebhook [Privileged:ClusterAdmin] should be able to convert from CR v1 to CR v2',
  '[sig-api-machinery] CustomResourcePublishOpenAPI [Privileged:ClusterAdmin] works for CRD with validation schema',
  '[sig-api-machinery] Garbage collector should delete RS created by deployment when not orphaning',
  '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] should mutate a Deployment [Conformance]',
  '[sig-api-machinery] Namespaces [Serial] should ensure that all services are removed when a namespace is deleted',
  '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a service.',
  '[sig-api-machinery] Watchers should receive events on concurrent watches in same order',
  '[sig-api-machinery] server version should find the server version',
  '[sig-apps] Daemon set [Serial] should run and stop simple daemon',
  '[sig-apps] Deployment RollingUpdateDeployment should delete old pods and create new ones',
  '[sig-apps] DisruptionController should block an eviction until the PDB is updated to allow it',
  '[sig-apps] Job should create pods for an Indexed job with completion indexes and specified hostname',
  '[sig-apps] ReplicaSet should serve a basic image on each replica with a public image',
  '[sig-apps] StatefulSet Basic StatefulSet functionality [StatefulSetBasic] should have a working scale subresource',
  '[sig-architecture] Conformance Tests should have at least two untainted nodes',
  '[sig-auth] Certificates API [Privileged:ClusterAdmin] should support CSR API operations',
  '[sig-auth] ServiceAccounts ServiceAccountIssuerDiscovery should support OIDC discovery of service account issuer',
  '[sig-auth] ServiceAccounts should mount an API token into pods',
  '[sig-auth] ServiceAccounts should mount projected service account token',
  '[sig-auth] SubjectReview should support SubjectReview API operations',
  '[sig-cli] Kubectl client Kubectl cluster-info should check if Kubernetes control plane services is included in cluster-info',
  '[sig-cli] Kubectl client Kubectl run pod should create a pod from an image when restart is Never',
  '[sig-cli] Kubectl client Proxy server should support proxy with --port 0',
  '[sig-cli] Kubectl logs logs should be able to retrieve and filter logs',
  '[sig-instrumentation] Events should manage the lifecycle of an event',
  '[sig-network] API Server should provide secure master service',
  '[sig-network] DNS should provide /etc/hosts entries for the cluster',
  '[sig-network] DNS should provide DNS for ExternalName services',
  '[sig-network] DNS should provide DNS for pods for Hostname',
  '[sig-network] DNS should provide DNS for the cluster',
  '[sig-network] DNS should support configurable pod DNS nameservers',
  '[sig-network] EndpointSlice should create Endpoints and EndpointSlices for Pods matching a Service',
  '[sig-network] HostPort validates that there is no conflict between pods with same hostPort but different hostIP and protocol',
  '[sig-network] Networking Granular Checks: Pods should function for intra-pod communication: http',
  '[sig-network] Networking Granular Checks: Pods should function for node-pod communication: udp',
  '[sig-network] Proxy version v1 should proxy through a service and a pod',
  '[sig-network] Services should be able to change the type from ExternalName to NodePort',
  '[sig-network] Services should be able to create a functioning NodePort service',
  '[sig-network] Services should have session affinity work for service with type clusterIP',
  '[sig-network] Services should serve endpoints on same port and different protocols',
  '[sig-node] Container Lifecycle Hook when create a pod with lifecycle hook should execute prestop http hook properly',
  '[sig-node] Container Runtime blackbox test when starting a container that exits should run with the expected status',
  '[sig-node] Ephemeral Containers [NodeConformance] will start an ephemeral container in an existing pod',
  '[sig-node] ImageVolume should succeed with pod and pull policy of Always',
  '[sig-node] InitContainer [NodeConformance] should invoke init containers on a RestartAlways pod',
  '[sig-node] KubeletManagedEtcHosts should test kubelet managed /etc/hosts file',
  '[sig-node] Pod InPlace Resize Container burstable pods - extended 6 containers',
  '[sig-node] Pods should support remote command execution over websockets',
  '[sig-node] Pods should support retrieving logs from the container over websockets',
  '[sig-node] PreStop should call prestop when killing a pod',
  '[sig-node] Probing container should be restarted with a /healthz http liveness probe',
  '[sig-node] RuntimeClass should schedule a Pod requesting a RuntimeClass and initialize its Overhead',
  '[sig-node] Security Context when creating containers with AllowPrivilegeEscalation should not allow privilege escalation when false',
  '[sig-node] Sysctls [LinuxOnly] [NodeConformance] should support sysctls',
  '[sig-scheduling] LimitRange should create a LimitRange with defaults and ensure pod has those defaults applied.',
  '[sig-scheduling] SchedulerPredicates [Serial] validates that NodeSelector is respected if matching',
  '[sig-storage] EmptyDir volumes should support (non-root,0644,tmpfs)',
  '[sig-storage] PersistentVolumes CSI Conformance should run through the lifecycle of a PV and a PVC',
  '[sig-storage] Projected combined should project all components that make up the projection API',
  '[sig-storage] Secrets optional updates should be reflected in volume',
  '[sig-storage] Subpath Atomic writer volumes should support subpaths with projected pod',
];

/** A regular expression that only tests whose names contain one of these match. */
export const focusOn = (names: readonly string[]): string =>
  names.map((name) => name.replace(/[[\]().*?+^$|/\\]/g, '\\$&')).join('|');

/** The tests of the subset that are not among these names: a release of Kubernetes may have renamed them. */
export const missingFrom = (names: readonly string[]): readonly string[] =>
  SUBSET.filter((wanted) => !names.some((name) => name.startsWith(wanted)));
