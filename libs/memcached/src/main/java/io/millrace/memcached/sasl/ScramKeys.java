package io.millrace.memcached.sasl;

/**
 * What a server keeps of a password for one {@link ScramMechanism}. Whoever reads it can neither log in with it nor learn
 * the password but by trying. Arrays are not copied.
 */
public record ScramKeys(byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {}
