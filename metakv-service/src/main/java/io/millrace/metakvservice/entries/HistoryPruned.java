package io.millrace.metakvservice.entries;

/** Some of the changes that are asked for are not kept any more, or are more than may be read at once. */
final class HistoryPruned extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final HistoryPruned INSTANCE = new HistoryPruned();

    private HistoryPruned() {
        super("Changes that are not kept any more", null, false, false);
    }
}
