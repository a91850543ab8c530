package io.millrace.worker.cases;

/** A case does not say what it should; the message says what is expected. */
final class MalformedCase extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedCase(String message) {
        super(message);
    }
}
