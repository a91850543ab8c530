package io.millrace.n1ql.keyspace;

/**
 * A snapshot of a stored document.
 *
 * @param body its bytes; read-only
 * @param json whether the bytes are known to be JSON
 * @param cas its version; not 0
 * @param expiration when it expires, in seconds since 1970, or 0 for never
 * @param flags the client's 32 bits
 */
public record StoredDocument(String key, byte[] body, boolean json, long cas, long expiration, int flags) {}
