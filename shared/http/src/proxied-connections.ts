/**
 * Settings of an https agent for the client of a cloud: connections that are kept open, through the proxy that HTTPS_PROXY
 * names, unless NO_PROXY excepts the server. A client of AWS's SDK has no proxy of its own. It has 50 connections at most.
 */
export const proxiedConnections = () => ({ keepAlive: true, maxSockets: 50, proxyEnv: process.env });
