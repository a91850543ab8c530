package io.millrace.worker.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.millrace.documents.DocumentsException;
import io.millrace.documents.DocumentsException.Code;
import io.millrace.timers.memory.MemoryTimerStore;
import io.millrace.worker.messages.Message;
import io.millrace.worker.messages.MessageStore;
import io.millrace.worker.report.Counters;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StreamSenderTest {

    private final Stream stream = new Stream();
    private final Counters counters = new Counters();

    /** A stream whose answers come when the test says so. */
    private static final class Stream implements MessageStore {

        private final List<List<String>> calls = Collections.synchronizedList(new ArrayList<>());
        private final Deque<CompletableFuture<Void>> answers = new ArrayDeque<>();

        @Override
        public synchronized CompletableFuture<Void> append(String name, long longest, List<Message> messages) {
            calls.add(messages.stream().map(Message::id).toList());
            CompletableFuture<Void> answer = new CompletableFuture<>();
            answers.add(answer);
            notifyAll();
            return answer;
        }

        @Override
        public CompletableFuture<Void> publish(String channel, byte[] content) {
            throw new UnsupportedOperationException();
        }

        private CompletableFuture<Void> next() throws InterruptedException {
            synchronized (this) {
                while (answers.isEmpty()) {
                    wait();
                }
                return answers.removeFirst();
            }
        }

        void succeeds() throws InterruptedException {
            next().complete(null);
        }

        void fails(Code code, Throwable cause) throws InterruptedException {
            next().completeExceptionally(DocumentsException.of(code, "failed", cause));
        }
    }

    private StreamSender sender(Duration patience) {
        StoreQueue queue = new StoreQueue(new FaultyStore(), new MemoryTimerStore(), stream, Runnable::run);
        return new StreamSender(queue, "s", 10, patience, counters);
    }

    private static Message message(String id) {
        return new Message(id, null, "text/plain", Map.of(), new byte[0]);
    }

    @Test
    void messages_thatComeWhileABatchIsOnItsWay_areTheNextBatch() throws Exception {
        StreamSender sender = sender(Duration.ofMinutes(1));

        CompletableFuture<Void> a = sender.send(message("a"));
        CompletableFuture<Void> b = sender.send(message("b"));
        CompletableFuture<Void> c = sender.send(message("c"));

        assertThat(stream.calls).containsExactly(List.of("a"));
        assertThat(a).isNotDone();
        stream.succeeds();
        assertThat(a).isCompleted();
        assertThat(b).isNotDone();
        stream.succeeds();
        assertThat(c).isCompleted();
        assertThat(stream.calls).containsExactly(List.of("a"), List.of("b", "c"));
        assertThat(counters.takeDeltas()).containsEntry(Counters.MESSAGES, 3L);
    }

    @Test
    void batch_thatRedisMissed_isSentAgainBeforeLaterOnes() throws Exception {
        StreamSender sender = sender(Duration.ofMinutes(1));
        sender.send(message("a"));
        CompletableFuture<Void> b = sender.send(message("b"));

        stream.fails(Code.UNAVAILABLE, new IllegalStateException());
        stream.fails(Code.REFUSED, new RedisCommandExecutionException("OOM command not allowed"));
        stream.succeeds();

        b.get(2, TimeUnit.MINUTES);
        assertThat(stream.calls).containsExactly(List.of("a"), List.of("a", "b"), List.of("a", "b"));
    }

    @Test
    void message_whoseTimeIsUp_isGivenUp() throws Exception {
        StreamSender sender = sender(Duration.ZERO);
        CompletableFuture<Void> a = sender.send(message("a"));

        stream.fails(Code.UNAVAILABLE, new IllegalStateException());

        assertThat(a).isCompletedExceptionally();
        assertThat(counters.takeDeltas()).containsEntry(Counters.MESSAGES_FAILED, 1L);
        CompletableFuture<Void> b = sender.send(message("b"));
        stream.succeeds();
        b.get(2, TimeUnit.MINUTES);
        assertThat(stream.calls).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void message_thatIsRefused_isNotRepeated() throws Exception {
        StreamSender sender = sender(Duration.ofMinutes(1));
        CompletableFuture<Void> a = sender.send(message("a"));

        stream.fails(Code.CORRUPT, new IllegalStateException());

        assertThat(a).isCompletedExceptionally();
        assertThat(stream.calls).hasSize(1);
    }
}
