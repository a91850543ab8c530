package io.millrace.memcached.sasl;

/**
 * What a server stores instead of a password, for one {@link ScramMechanism}. It does not allow logging in, and reveals the
 * password only to a brute-force search. Arrays are not copied.
 */
public record ScramKeys(byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {}
