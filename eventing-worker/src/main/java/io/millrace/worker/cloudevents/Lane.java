package io.millrace.worker.cloudevents;

import io.millrace.documents.DocumentsException;
import io.millrace.worker.messages.Message;
import io.millrace.worker.messages.MessageDefect;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages one after the other, in the order in which they come. However one fails, the next is delivered. Thread-safe.
 */
final class Lane {

    private final Delivery delivery;

    // guarded by this
    private final ArrayDeque<Delivery.Parcel> waiting = new ArrayDeque<>();
    private @Nullable Thread courier;
    private boolean closed;

    Lane(Delivery delivery) {
        this.delivery = delivery;
    }

    CompletableFuture<Void> send(Message message, @Nullable String trace) {
        Delivery.Parcel parcel = delivery.parcel(message, trace);
        synchronized (this) {
            if (closed) {
                parcel.answer().completeExceptionally(ended());
                return parcel.answer();
            }
            waiting.addLast(parcel);
            if (courier == null) {
                courier = Thread.ofVirtual().name("cloudevents").start(this::deliverAll);
            }
        }
        return parcel.answer();
    }

    private void deliverAll() {
        for (Delivery.Parcel next = next(); next != null; next = next()) {
            deliver(next);
        }
    }

    private void deliver(Delivery.Parcel parcel) {
        try {
            delivery.deliver(parcel);
            parcel.answer().complete(null);
        } catch (DocumentsException e) {
            parcel.answer().completeExceptionally(e);
        } catch (InterruptedException e) {
            parcel.answer().completeExceptionally(ended());
        } catch (RuntimeException | Error e) { // a defect, which must not keep back the messages that wait
            parcel.answer().completeExceptionally(MessageDefect.report(parcel.message(), e));
        }
    }

    private synchronized Delivery.@Nullable Parcel next() {
        Delivery.Parcel next = waiting.pollFirst();
        if (next == null) {
            courier = null;
        }
        return next;
    }

    void close() {
        synchronized (this) {
            closed = true;
            if (courier != null) {
                courier.interrupt();
            }
            waiting.forEach(parcel -> parcel.answer().completeExceptionally(ended()));
            waiting.clear();
        }
    }

    private static DocumentsException ended() {
        return DocumentsException.of(DocumentsException.Code.UNAVAILABLE, "The function has ended");
    }
}
