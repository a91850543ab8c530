package io.millrace.gateway;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request that the gateway cannot answer: what is wrong, and what the caller can do. Both are shown to the caller. */
public final class GatewayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. */
    public enum Code {
        /** The service does not accept connections; the request was not carried out. */
        UPSTREAM_DOWN,
        /** The circuit breaker is open because the service failed repeatedly; the request was not carried out. */
        UPSTREAM_SUSPENDED,
        /** The service did not answer in time; the request may have been carried out. */
        UPSTREAM_TIMEOUT,
        /** The connection to the service broke; the request may have been carried out. */
        UPSTREAM_BROKEN,
        /** The service gave a response that the gateway does not understand. */
        UPSTREAM_UNEXPECTED,
        /** The client, or all clients together, have too many requests in flight; the request was not carried out. */
        TOO_MANY_REQUESTS,
        /** The client, or all clients together, have too many feeds open; the request was not carried out. */
        TOO_MANY_FEEDS,
        /** Who reads a feed has lost, or changed, the rights that the feed began with. */
        ACCESS_CHANGED,
        /** The client stopped sending its request. */
        CLIENT_TIMEOUT,
        INVALID_ARCHIVE,
        ARCHIVE_TOO_LARGE
    }

    private final Code code;
    private final @Nullable String action;
    private final @Nullable String service;
    private final @Nullable Duration retryAfter;

    private GatewayException(
            Code code,
            String detail,
            @Nullable String action,
            @Nullable String service,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(detail, cause);
        this.code = code;
        this.action = action;
        this.service = service;
        this.retryAfter = retryAfter;
    }

    /** A service failed; the same request may succeed after a pause. */
    public static GatewayException upstream(
            Code code, String service, String detail, String action, Duration retryAfter, Throwable cause) {
        return new GatewayException(code, detail, action, service, retryAfter, cause);
    }

    /** A service gave a response that the gateway does not understand. */
    public static GatewayException unexpected(String service, String detail) {
        return new GatewayException(
                Code.UPSTREAM_UNEXPECTED,
                detail,
                "Check that the gateway and %s have the same version, and look at the log of %s."
                        .formatted(service, service),
                service,
                null,
                null);
    }

    /** A limit of what runs at the same time is reached; the same request may succeed after a pause. */
    public static GatewayException tooMany(
            Code code, String service, String detail, String action, Duration retryAfter) {
        return new GatewayException(code, detail, action, service, retryAfter, null);
    }

    public static GatewayException accessChanged() {
        return new GatewayException(
                Code.ACCESS_CHANGED,
                "The login or the roles that this feed began with hold no longer.",
                "Log in and open the feed again.",
                null,
                null,
                null);
    }

    public static GatewayException clientTimeout() {
        return new GatewayException(
                Code.CLIENT_TIMEOUT,
                "The rest of the request did not arrive in time.",
                "Send the request again.",
                null,
                null,
                null);
    }

    public static GatewayException invalidArchive(String detail) {
        return new GatewayException(Code.INVALID_ARCHIVE, detail, null, null, null, null);
    }

    public static GatewayException archiveTooLarge(String detail) {
        return new GatewayException(
                Code.ARCHIVE_TOO_LARGE, detail, "Split the archive and import the parts.", null, null, null);
    }

    public Code code() {
        return code;
    }

    /** Returns what the caller can do, or null for the usual action of the status. */
    public @Nullable String action() {
        return action;
    }

    /** Returns the service that failed, or null if none did. */
    public @Nullable String service() {
        return service;
    }

    /** Returns the time after which the same request may succeed, or null if repeating it does not help. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
