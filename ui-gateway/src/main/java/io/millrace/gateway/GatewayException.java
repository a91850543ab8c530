package io.millrace.gateway;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why the gateway cannot answer as asked. Messages say what to do and are fit to be shown to the user who asked. */
public final class GatewayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Code {
        /** The service does not take connections; the request was not carried out. */
        UPSTREAM_DOWN,
        /** The service failed so often of late that it is not asked for a while; the request was not carried out. */
        UPSTREAM_SUSPENDED,
        /** The service did not answer in time; the request may have been carried out. */
        UPSTREAM_TIMEOUT,
        /** The connection to the service broke; the request may have been carried out. */
        UPSTREAM_BROKEN,
        /** The service answered something that the gateway does not understand. */
        UPSTREAM_UNEXPECTED,
        /** The client stopped sending its request. */
        CLIENT_TIMEOUT,
        INVALID_ARCHIVE,
        ARCHIVE_TOO_LARGE
    }

    private final Code code;
    private final @Nullable String service;
    private final @Nullable Duration retryAfter;

    private GatewayException(
            Code code,
            String message,
            @Nullable String service,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.service = service;
        this.retryAfter = retryAfter;
    }

    public static GatewayException upstream(
            Code code, String service, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        return new GatewayException(code, message, service, retryAfter, cause);
    }

    public static GatewayException clientTimeout() {
        return new GatewayException(
                Code.CLIENT_TIMEOUT, "The rest of the request did not come in time. Send it again.", null, null, null);
    }

    public static GatewayException invalidArchive(String message) {
        return new GatewayException(Code.INVALID_ARCHIVE, message, null, null, null);
    }

    public static GatewayException archiveTooLarge(String message) {
        return new GatewayException(Code.ARCHIVE_TOO_LARGE, message, null, null, null);
    }

    public Code code() {
        return code;
    }

    /** Returns the service that failed, or null when none did. */
    public @Nullable String service() {
        return service;
    }

    /** Returns after what time another try may help, or null when none will. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
