package io.millrace.subdocservice.pools;

import java.util.Map;
import org.springframework.http.HttpStatus;

/** Ends a management request with errors about its parameters. Has no stack trace. */
final class ManagementFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final transient Map<String, String> errors;

    ManagementFault(HttpStatus status, Map<String, String> errors) {
        super(errors.toString(), null, false, false);
        this.status = status;
        this.errors = Map.copyOf(errors);
    }

    static ManagementFault of(HttpStatus status, String parameter, String message) {
        return new ManagementFault(status, Map.of(parameter, message));
    }

    HttpStatus status() {
        return status;
    }

    /** Returns what is wrong, by parameter. */
    Map<String, String> errors() {
        return errors;
    }
}
