import type { ServerDraft, TransportDraft } from '../../../contract/generated';

/**
 * One of our servers with how another host starts or reaches it. It keeps what no other host decides: the proxy and the trusted
 * authorities, and what is for one server only if it is still the same one. (`hosts/compare.rs` does the same.)
 */
export function updated(ours: ServerDraft, theirs: TransportDraft): ServerDraft {
  if (ours.transport.type !== 'http' || theirs.type !== 'http') return { ...ours, transport: theirs };
  const { url, proxy, caFile, clientCertificate, acceptedFingerprint } = ours.transport;
  const isSame = originOf(url) !== null && originOf(url) === originOf(theirs.url);
  return {
    ...ours,
    transport: { ...theirs, proxy, caFile, ...(isSame ? { clientCertificate, acceptedFingerprint } : {}) },
  };
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
