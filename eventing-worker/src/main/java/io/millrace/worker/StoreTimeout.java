package io.millrace.worker;

/** The document store kept a handler waiting for as long as it may. */
final class StoreTimeout extends Exception {

    private static final long serialVersionUID = 1L;

    StoreTimeout(String message) {
        super(message);
    }
}
