package io.millrace.documents.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.millrace.documents.DocumentKey;
import io.millrace.documents.Limits;
import io.millrace.documents.Write;
import io.millrace.documents.WriteResult;
import io.millrace.documents.redis.RedisBucket.Place;
import io.millrace.redis.RedisFailure;
import io.millrace.redis.RedisLink;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one shard. What is waiting when a call may be sent goes together; a write that finds nothing on its way is
 * sent at once, alone.
 *
 * <p>A large document goes alone, and one at a time for all shards: what is sent after it waits until it has been sent, but the
 * writes behind it in this queue do not wait for its answer.
 *
 * <p>No document is in two calls at the same time, so its writes are carried out in the order in which they were made.
 * Calls are sent, and answers delivered, without a lock: both may run code of callers.
 */
final class ShardWriter {

    /** While Redis carries out one call, the next is on its way. */
    private static final int CALLS_AT_A_TIME = 2;

    private record Waiting(
            DocumentKey key,
            Place place,
            byte[] document,
            List<byte[]> args,
            int bytes,
            CompletableFuture<WriteResult> answer) {

        boolean large() {
            return bytes > Limits.MAX_BYTES_AMONG_OTHERS;
        }
    }

    private final RedisLink link;
    private final InstantSource clock;
    private final LargeTurn largeTurn;
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    /** How many of those that wait are large. Nearly always none, and then it is not worth looking through thousands. */
    private int largeWaiting;

    /** The documents of the calls that are on their way. */
    private final Set<DocumentKey> busy = new HashSet<>();

    private int onTheWay;

    /** How many answers are being delivered: what callers write in response goes together. */
    private int deliveries;

    private ShardWriter(RedisLink link, InstantSource clock, LargeTurn largeTurn) {
        this.link = link;
        this.clock = clock;
        this.largeTurn = largeTurn;
    }

    /** Adds a write, which {@link #send()} sends. */
    CompletionStage<WriteResult> add(Place place, byte[] id, Write write) {
        List<byte[]> args = new ArrayList<>(2);
        int bytes = DocumentCodec.arguments(write, args);
        byte[] document = place.shard().document(Keys.ref(place.collection().number(), id));
        Waiting added = new Waiting(write.key(), place, document, args, bytes, new CompletableFuture<>());
        synchronized (this) {
            waiting.add(added);
            largeWaiting += added.large() ? 1 : 0;
        }
        return added.answer;
    }

    /** Gives back the writes of a document that wait, as if its shard had been found closed. */
    private void recall(DocumentKey document) {
        List<Waiting> recalled = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
                Waiting next = all.next();
                if (next.key.equals(document)) {
                    recalled.add(next);
                    all.remove();
                    largeWaiting -= next.large() ? 1 : 0;
                }
            }
        }
        recalled.forEach(write -> write.answer.completeExceptionally(DocumentQueues.StaleShard.INSTANCE));
    }

    /** Sends what is waiting, unless as many calls as there may be are on their way. */
    void send() {
        send(CALLS_AT_A_TIME);
    }

    private void send(int calls) {
        for (List<Waiting> next = take(calls); !next.isEmpty(); next = take(calls)) {
            call(next);
        }
    }

    private synchronized List<Waiting> take(int calls) {
        if (waiting.isEmpty() || deliveries > 0) {
            return List.of();
        }
        List<Waiting> together = onTheWay < calls ? takeSmall() : List.of();
        if (together.isEmpty()) {
            together = takeLarge(calls);
        } else {
            onTheWay++;
        }
        together.forEach(write -> busy.add(write.key));
        return together;
    }

    private List<Waiting> takeSmall() {
        List<Waiting> together = new ArrayList<>();
        Set<DocumentKey> left = new HashSet<>();
        long bytes = 0;
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting next = all.next();
            if (next.large()) {
                left.add(next.key);
                continue;
            }
            bytes += next.bytes;
            if (together.size() == Limits.MAX_WRITES_TOGETHER
                    || !together.isEmpty() && bytes > Limits.MAX_BYTES_TOGETHER) {
                break;
            }
            if (busy.contains(next.key) || left.contains(next.key) || !fits(together, next)) {
                left.add(next.key);
            } else {
                together.add(next);
                all.remove();
            }
        }
        return together;
    }

    /** Takes the first large write that may be sent, if it is the turn of this shard or there are no limits. */
    private List<Waiting> takeLarge(int calls) {
        if (largeWaiting == 0) {
            return List.of();
        }
        Set<DocumentKey> left = new HashSet<>(busy);
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting next = all.next();
            if (next.large() && !left.contains(next.key)) {
                if (calls == CALLS_AT_A_TIME && !largeTurn.take(this)) {
                    return List.of();
                }
                all.remove();
                largeWaiting--;
                return List.of(next);
            }
            left.add(next.key);
        }
        return List.of();
    }

    /** A call has one gate: that of a bucket as the catalog described it at one time. */
    private static boolean fits(List<Waiting> together, Waiting next) {
        return together.isEmpty() || together.getFirst().place.bucket() == next.place.bucket();
    }

    private void call(List<Waiting> together) {
        CompletionStage<DocumentCalls.Answers> answer;
        try {
            Place place = together.getFirst().place;
            List<byte[]> documents = new ArrayList<>(together.size());
            List<byte[]> args = new ArrayList<>(2 * together.size());
            Set<DocumentKey> keys = new HashSet<>();
            together.forEach(write -> {
                documents.add(write.document);
                args.addAll(write.args);
                keys.add(write.key);
            });
            DocumentCalls.Company company =
                    keys.size() < together.size() ? DocumentCalls.Company.REPEATING : DocumentCalls.Company.APART;
            answer = DocumentCalls.write(
                    link.redis(), place.bucket(), place.shard(), documents, args, company, clock.instant());
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedStage(e);
        }
        answer.whenComplete((answers, failure) -> answered(together, answers, failure));
    }

    private void answered(
            List<Waiting> together, DocumentCalls.@Nullable Answers answers, @Nullable Throwable failure) {
        if (failure != null && refused(failure) && !RedisFailure.functionMissing(failure) && !ofOneDocument(together)) {
            divide(together);
            return;
        }
        synchronized (this) {
            deliveries++;
        }
        together.forEach(write -> deliver(write.answer, answers, failure));
        synchronized (this) {
            deliveries--;
            onTheWay -= large(together) ? 0 : 1;
            together.forEach(write -> busy.remove(write.key));
        }
        // When Redis does not answer, those behind do not wait for the time limits of those in front, one after
        // another.
        send(failure != null && !refused(failure) ? Integer.MAX_VALUE : CALLS_AT_A_TIME);
        if (large(together)) {
            largeTurn.pass(this);
        }
    }

    private static boolean large(List<Waiting> together) {
        return together.getFirst().large();
    }

    private static boolean refused(Throwable failure) {
        return RedisFailure.unwrap(failure) instanceof RedisCommandExecutionException;
    }

    private static boolean ofOneDocument(List<Waiting> together) {
        return together.stream().allMatch(write -> write.key.equals(together.getFirst().key));
    }

    /** Sends writes that were refused together once more, each document by itself: the reason may lie in one of them. */
    private void divide(List<Waiting> together) {
        Map<DocumentKey, List<Waiting>> byDocument = new LinkedHashMap<>();
        together.forEach(write ->
                byDocument.computeIfAbsent(write.key, key -> new ArrayList<>(1)).add(write));
        Collection<List<Waiting>> documents = byDocument.values();
        synchronized (this) {
            onTheWay += documents.size() - 1;
        }
        documents.forEach(this::call);
    }

    private static void deliver(
            CompletableFuture<WriteResult> answer,
            DocumentCalls.@Nullable Answers answers,
            @Nullable Throwable failure) {
        if (answers == null) {
            answer.completeExceptionally(failure == null ? DocumentQueues.StaleShard.INSTANCE : failure);
            return;
        }
        WriteResult result;
        try {
            result = answers.next();
        } catch (DocumentQueues.StaleShard stale) {
            answer.completeExceptionally(stale);
            return;
        }
        answer.complete(result);
    }

    /** Which shard may send a large document: all share a connection. */
    private static final class LargeTurn {

        private final Queue<ShardWriter> wanting = new ArrayDeque<>();
        private @Nullable ShardWriter holder;

        /** Gives the turn to a shard, or notes that it wants it. */
        synchronized boolean take(ShardWriter shard) {
            if (holder == null) {
                holder = shard;
                return true;
            }
            if (!wanting.contains(shard)) {
                wanting.add(shard);
            }
            return false;
        }

        /** Lets the next shard send if the caller has the turn: without limits, large documents are sent without it. */
        void pass(ShardWriter from) {
            synchronized (this) {
                if (holder != from) {
                    return;
                }
                holder = null;
            }
            for (ShardWriter next = next(); next != null; next = next()) {
                next.send();
            }
        }

        private synchronized @Nullable ShardWriter next() {
            return holder == null ? wanting.poll() : null;
        }
    }

    /** The writers of all shards. A write is added first and sent later: by then the lock of its document has been released. */
    static final class All {

        private final RedisLink link;
        private final InstantSource clock;
        private final LargeTurn largeTurn = new LargeTurn();
        private final Map<String, ShardWriter> writers = new ConcurrentHashMap<>();

        /** Those that have got writes since they were sent. */
        private final Queue<ShardWriter> added = new ConcurrentLinkedQueue<>();

        All(RedisLink link, InstantSource clock) {
            this.link = link;
            this.clock = clock;
        }

        CompletionStage<WriteResult> add(Place place, byte[] id, Write write) {
            ShardWriter writer =
                    writers.computeIfAbsent(place.shard().topic(), shard -> new ShardWriter(link, clock, largeTurn));
            CompletionStage<WriteResult> answer = writer.add(place, id, write);
            added.add(writer);
            return answer;
        }

        /**
         * Gives back the writes of a document that wait, when one before them has come back to be made again: once another
         * call has repaired the shard they would overtake it. They have not been sent, as that one is on its way until its
         * answer has been delivered. The caller holds no lock.
         */
        void recall(Place place, DocumentKey document) {
            ShardWriter writer = writers.get(place.shard().topic());
            if (writer != null) {
                writer.recall(document);
            }
        }

        /** Sends what has been added; the caller holds no lock. */
        void send() {
            for (ShardWriter writer = added.poll(); writer != null; writer = added.poll()) {
                writer.send();
            }
        }
    }
}
