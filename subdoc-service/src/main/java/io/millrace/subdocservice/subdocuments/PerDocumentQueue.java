package io.millrace.subdocservice.subdocuments;

import io.millrace.documents.DocumentKey;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of one document one after the other, in the order of arrival, and those of different documents
 * independently. So writers of one process never conflict with each other.
 */
final class PerDocumentQueue {

    private final Map<DocumentKey, Turn> turns = new ConcurrentHashMap<>();
    private final int mostWaiting;

    PerDocumentQueue(int mostWaiting) {
        this.mostWaiting = mostWaiting;
    }

    /** Runs the task after those of the same document that came before; empty if too many are waiting. */
    <T> Optional<CompletableFuture<T>> take(DocumentKey key, Supplier<CompletableFuture<T>> work) {
        Piece<T> piece = new Piece<>(work);
        while (true) {
            Turn turn = turns.computeIfAbsent(key, Turn::new);
            switch (turn.add(piece)) {
                case FIRST -> {
                    turn.run();
                    return Optional.of(piece.answer);
                }
                case WAITS -> {
                    return Optional.of(piece.answer);
                }
                case FULL -> {
                    return Optional.empty();
                }
                case GONE -> Thread.onSpinWait();
            }
        }
    }

    /** Returns the number of documents that have tasks. */
    int size() {
        return turns.size();
    }

    private enum Place {
        FIRST,
        WAITS,
        FULL,
        GONE
    }

    private record Piece<T>(Supplier<CompletableFuture<T>> work, CompletableFuture<T> answer) {

        Piece(Supplier<CompletableFuture<T>> work) {
            this(work, new CompletableFuture<>());
        }

        CompletableFuture<T> start() {
            try {
                return work.get();
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        /** Runs the task. Returns true if it is done already; otherwise {@code afterwards} is called when it is done. */
        boolean carriedOut(Runnable afterwards) {
            CompletableFuture<T> started = start();
            if (started.isDone()) {
                answer(started);
                return true;
            }
            started.whenComplete((value, failure) -> {
                answer(started);
                afterwards.run();
            });
            return false;
        }

        private void answer(CompletableFuture<T> done) {
            done.whenComplete((value, failure) -> {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        }
    }

    /** The tasks of one document; in the map as long as there are any. */
    private final class Turn {

        private final DocumentKey key;
        private final Queue<Piece<?>> pieces = new ArrayDeque<>(2);
        private boolean gone;

        Turn(DocumentKey key) {
            this.key = key;
        }

        synchronized Place add(Piece<?> piece) {
            if (gone) {
                return Place.GONE;
            }
            if (pieces.size() > mostWaiting) {
                return Place.FULL;
            }
            pieces.add(piece);
            return pieces.size() == 1 ? Place.FIRST : Place.WAITS;
        }

        /** Runs the first task and all after it; a task stays first until it is done. */
        void run() {
            Piece<?> piece = first();
            while (piece != null
                    && piece.carriedOut(() -> {
                        if (next()) {
                            run();
                        }
                    })) {
                piece = next() ? first() : null;
            }
        }

        private synchronized @Nullable Piece<?> first() {
            return pieces.peek();
        }

        private synchronized boolean next() {
            pieces.remove();
            if (pieces.isEmpty()) {
                gone = true;
                turns.remove(key, this);
                return false;
            }
            return true;
        }
    }
}
