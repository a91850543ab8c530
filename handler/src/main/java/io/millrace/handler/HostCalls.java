package io.millrace.handler;

import org.jspecify.annotations.Nullable;

/** Calls of a {@link HandlerHost}: its failures become JavaScript errors, its defects are kept for the thread to find. */
final class HostCalls {
    private final Guest guest;
    private @Nullable Throwable defect;

    HostCalls(Guest guest) {
        this.guest = guest;
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
        try {
            return call.run();
        } catch (HostFailure failure) {
            throw guest.raise(failure);
        } catch (StackOverflowError | OutOfMemoryError e) {
            throw e; // the code's doing, not the host's
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

    /** Like {@link #call}, for something that may not be there. */
    @Nullable
    Object lookUp(LookUp lookUp) {
        try {
            return lookUp.run();
        } catch (HostFailure failure) {
            throw guest.raise(failure);
        } catch (StackOverflowError | OutOfMemoryError e) {
            throw e; // the code's doing, not the host's
        } catch (RuntimeException | Error e) {
            defect = e;
            throw e;
        }
    }

    /** Returns, once, what the host threw although it must not. */
    @Nullable
    Throwable takeDefect() {
        var taken = defect;
        defect = null;
        return taken;
    }
}
