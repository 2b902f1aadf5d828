/** Whether rules for a protocol have ports, or types of messages. For other protocols AWS ignores them. */
export const hasPorts = (protocol: string): boolean => /^(?:tcp|udp|icmp|icmpv6|6|17|1|58)$/.test(protocol);
