package io.millrace.worker;

import io.millrace.handler.host.HostFailure;
import io.millrace.worker.bindings.Time;
import io.millrace.worker.report.Outbox;
import io.millrace.workerprotocol.Frame;
import io.millrace.workerprotocol.HttpResponse;
import io.millrace.workerprotocol.WorkerProtocolLimits;

/**
 * What the handler answers to one request. The handler's thread gives it; another thread says how much of it the client has
 * taken.
 */
final class Reply implements Code.Answer {

    /** Waits until what the handler wrote so far is stored. */
    interface Stored {
        void await() throws HostFailure;
    }

    private final long call;
    private final Outbox outbox;
    private final Stored stored;
    private final Time time;
    private final long giveUpNanos;
    private HttpResponse whole = HttpResponse.NONE;
    private long sent;

    // guarded by this
    private long taken;
    private boolean abandoned;

    /** @param giveUpNanos until when the client may keep the handler waiting */
    Reply(long call, Outbox outbox, Stored stored, Time time, long giveUpNanos) {
        this.call = call;
        this.outbox = outbox;
        this.stored = stored;
        this.time = time;
        this.giveUpNanos = giveUpNanos;
    }

    @Override
    public void whole(HttpResponse response) {
        whole = response;
    }

    /** Returns the response to send at the end; {@link HttpResponse#NONE} if it was sent in parts. */
    HttpResponse atTheEnd() {
        return whole;
    }

    @Override
    public boolean begin(HttpResponse first) throws HostFailure {
        return send(first.body().bytes(), new Frame.Begun(call, first));
    }

    @Override
    public boolean part(byte[] bytes) throws HostFailure {
        // an empty one would not count in the window, so that nothing held back code that yields them without end
        return bytes.length == 0 ? isWanted() : send(bytes, new Frame.Part(call, bytes));
    }

    private boolean send(byte[] bytes, Frame frame) throws HostFailure {
        if (bytes.length > WorkerProtocolLimits.MAX_HTTP_BODY_BYTES) {
            throw HostFailure.eventingError("OnRequest gave a part of %d bytes, more than the limit of %d"
                    .formatted(bytes.length, WorkerProtocolLimits.MAX_HTTP_BODY_BYTES));
        }
        if (sent + bytes.length > WorkerProtocolLimits.MAX_STREAMED_BODY_BYTES) {
            throw HostFailure.eventingError("OnRequest gave parts of more than %d bytes together"
                    .formatted(WorkerProtocolLimits.MAX_STREAMED_BODY_BYTES));
        }
        stored.await();
        if (!awaitRoom()) {
            return false;
        }
        sent += bytes.length;
        outbox.streamed(frame);
        return true;
    }

    private synchronized boolean isWanted() {
        return !abandoned;
    }

    /** Returns false when nothing more is wanted. */
    private synchronized boolean awaitRoom() throws HostFailure {
        try {
            while (!abandoned && sent - taken >= WorkerProtocolLimits.STREAM_WINDOW_BYTES) {
                long leftMillis = (giveUpNanos - time.nanos()) / 1_000_000;
                if (leftMillis <= 0) {
                    throw HostFailure.eventingError("The client takes the response too slowly");
                }
                wait(leftMillis);
            }
        } catch (InterruptedException e) {
            throw HostFailure.eventingError("The invocation was stopped");
        }
        return !abandoned;
    }

    synchronized void taken(long bytes) {
        taken += bytes;
        notifyAll();
    }

    synchronized void abandon() {
        abandoned = true;
        notifyAll();
    }
}
