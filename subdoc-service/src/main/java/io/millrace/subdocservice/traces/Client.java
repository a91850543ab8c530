package io.millrace.subdocservice.traces;

/**
 * Who makes a change, and how.
 *
 * @param door the way: {@code http}, {@code kv}, {@code query} or {@code couch}
 * @param action what the client asked for: the method of the request, or the name of the command
 * @param request the id of the request
 * @param user who sends it
 */
public record Client(String door, String action, String request, String user) {}
