package io.millrace.worker.messages;

import io.millrace.documents.DocumentsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The Redis of the suite as a place for messages. Thread-safe; calls fail with {@link DocumentsException}. */
public interface MessageStore {

    /** Where nothing can be published. */
    MessageStore NONE = new MessageStore() {
        @Override
        public CompletableFuture<Void> append(String stream, long longest, List<Message> messages) {
            return CompletableFuture.failedFuture(refusal());
        }

        @Override
        public CompletableFuture<Void> publish(String channel, byte[] content) {
            return CompletableFuture.failedFuture(refusal());
        }

        private static DocumentsException refusal() {
            return DocumentsException.of(DocumentsException.Code.REFUSED, "Topics are not available here.");
        }
    };

    /**
     * Adds messages to a stream in their order: all of them, or none when this fails for another reason than that the answer did
     * not come.
     *
     * @param longest about how many messages the stream keeps
     */
    CompletableFuture<Void> append(String stream, long longest, List<Message> messages);

    /** Sends a message to those who listen to a channel now. */
    CompletableFuture<Void> publish(String channel, byte[] content);
}
