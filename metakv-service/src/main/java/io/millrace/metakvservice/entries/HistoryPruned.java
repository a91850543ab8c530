package io.millrace.metakvservice.entries;

/** Some of the requested changes are no longer kept, or exceed what one replay may read. */
final class HistoryPruned extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final HistoryPruned INSTANCE = new HistoryPruned();

    private HistoryPruned() {
        super("The requested changes are no longer kept.", null, false, false);
    }
}
