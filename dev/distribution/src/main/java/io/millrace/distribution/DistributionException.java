package io.millrace.distribution;

/** A distribution cannot be made; the message says what to do about it. */
final class DistributionException extends RuntimeException {

    private static final long serialVersionUID = 1;

    DistributionException(String message) {
        super(message);
    }
}
