package io.millrace.subdoc;

/**
 * The result of one operation of a request.
 *
 * @param index which one, from 0
 * @param value empty when there is none; not copied: treat it as read-only
 */
public record PathResult(int index, Status status, byte[] value) {}
