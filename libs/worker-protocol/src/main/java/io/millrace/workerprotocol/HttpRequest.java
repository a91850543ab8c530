package io.millrace.workerprotocol;

/**
 * An HTTP request for OnRequest.
 *
 * @param head what the handler sees of it except for the body, as a JSON object
 * @param body how the handler sees the body, and its bytes
 */
public record HttpRequest(byte[] head, HttpBody body) {}
