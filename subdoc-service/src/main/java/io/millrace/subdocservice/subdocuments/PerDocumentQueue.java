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
 * One piece of work per document at a time, in the order of arrival; documents do not wait for each other. So writers of
 * one process never take the document away from each other, however many they are.
 */
final class PerDocumentQueue {

    private final Map<DocumentKey, Turn> turns = new ConcurrentHashMap<>();
    private final int mostWaiting;

    PerDocumentQueue(int mostWaiting) {
        this.mostWaiting = mostWaiting;
    }

    /** Carries out work when its turn has come, or returns nothing when too many others wait. */
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

    /** Returns how many documents are being worked on. */
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

        /** Returns true when it was carried out at once; otherwise {@code afterwards} runs when it is. */
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

    /** The work for one document. In the map as long as there is any. */
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

        /** Carries out the first piece and all after it; a piece stays first until it is done. */
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
