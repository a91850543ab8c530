package io.millrace.eventing.topics;

import io.millrace.eventing.topics.TopicStore.Entry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Topics as those read them who leave no trace in the stream. Thread-safe; no call blocks. */
public interface TopicReader {

    /** The id before those of all entries. */
    String START = "0-0";

    /** Completes with the id of the newest entry, {@link #START} if there is none. */
    CompletableFuture<String> newest(String topic);

    /** Completes with the entries behind an id, oldest first; none if there are none yet. */
    CompletableFuture<List<Entry>> after(String topic, String id, int most);

    /** Completes with an entry, or with nothing if the stream has removed it. */
    CompletableFuture<Optional<Entry>> find(String topic, String id);
}
