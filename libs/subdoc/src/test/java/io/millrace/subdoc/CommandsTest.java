package io.millrace.subdoc;

/** The contract on whole requests, single as they are written down. */
class CommandsTest extends SubdocContract {

    @Override
    protected VectorRunner runner() {
        return new LibraryRunner();
    }
}
