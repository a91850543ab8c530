package io.millrace.subdocservice.kv.command;

import io.millrace.memcached.Response;
import io.millrace.memcached.Status;

/** Ends a request with an error response. */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Response response;

    private CommandException(Response response) {
        super(response.status().name(), null, false, false);
        this.response = response;
    }

    public static CommandException of(Status status) {
        return new CommandException(Response.of(status));
    }

    public static CommandException of(Status status, String context) {
        return new CommandException(Response.error(status, context));
    }

    static CommandException with(Response response) {
        return new CommandException(response);
    }

    public Response response() {
        return response;
    }
}
