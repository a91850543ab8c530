package io.millrace.handler.bridge;

import io.millrace.handler.host.HandlerHost;
import io.millrace.handler.host.HostFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls of a {@link HandlerHost}: turns its failures into JavaScript errors and keeps its defects for the thread. */
final class HostCalls {
    private final Guest guest;
    private final Insight insight;
    private @Nullable Throwable defect;

    HostCalls(Guest guest, Insight insight) {
        this.guest = guest;
        this.insight = insight;
    }

    interface HostCall<T> {
        T run() throws HostFailure;
    }

    interface LookUp {
        @Nullable
        Object run() throws HostFailure;
    }

    interface Order {
        void run() throws HostFailure;
    }

    <T> T call(HostCall<T> call) {
        if (!insight.wanted()) {
            return checked(call);
        }
        long begin = System.nanoTime();
        int weight = insight.weight(begin);
        if (weight == 0) {
            return checked(call);
        }
        try {
            return checked(call);
        } finally {
            insight.called(weight, System.nanoTime() - begin);
        }
    }

    private <T> T checked(HostCall<T> call) {
        try {
            return call.run();
        } catch (HostFailure failure) {
            throw guest.raise(failure);
        } catch (StackOverflowError | OutOfMemoryError e) {
            throw e; // caused by the code, not by the host
        } catch (RuntimeException | Error e) {
            defect = e;
            throw e;
        }
    }

    void order(Order order) {
        call(() -> {
            order.run();
            return this;
        });
    }

    /** Like {@link #order}, for a line of the log. */
    void log(String line, Order order) {
        insight.logs(line);
        order(order);
    }

    /** Like {@link #call}, for a result that may be missing. */
    @Nullable
    Object lookUp(LookUp lookUp) {
        return call(() -> Optional.ofNullable(lookUp.run())).orElse(null);
    }

    /** Returns the line and function that make the current call, or null when they cannot be found. */
    Insight.@Nullable Caller caller() {
        return insight.caller();
    }

    /** Returns whether this was thrown by the host. */
    boolean isDefect(Throwable thrown) {
        return thrown == defect;
    }

    /** Returns, once, an exception that the host threw and that is not a HostFailure. */
    @Nullable
    Throwable takeDefect() {
        var taken = defect;
        defect = null;
        return taken;
    }
}
