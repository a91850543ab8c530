package io.millrace.eventing.secrets;

/**
 * A secret as it is stored.
 *
 * @param keyId names the master key
 * @param wrappedKey the key of this secret, encrypted with the master key
 * @param value the secret, encrypted with its key
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Envelope(String keyId, byte[] wrappedKey, byte[] value) {}
