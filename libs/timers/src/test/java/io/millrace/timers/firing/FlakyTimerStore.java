package io.millrace.timers.firing;

import io.millrace.timers.TimerStore;
import io.millrace.timers.TimersException;
import io.millrace.timers.memory.MemoryTimerStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A store whose answers get lost when a test says so; what was asked is done or not, as the test says. */
final class FlakyTimerStore {

    private final Queue<Boolean> losses = new ConcurrentLinkedQueue<>();
    private final TimerStore real = new MemoryTimerStore();
    private volatile String operation = "";

    final TimerStore store = (TimerStore) Proxy.newProxyInstance(
            TimerStore.class.getClassLoader(), new Class<?>[] {TimerStore.class}, (proxy, method, arguments) -> {
                boolean lost = method.getName().equals(operation) && !losses.isEmpty();
                if (lost && !losses.remove()) {
                    return failed();
                }
                try {
                    Object answer = method.invoke(real, arguments);
                    return lost ? failed() : answer;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    /** Loses the answers of the next calls of a method: true when the call is carried out all the same. */
    void lose(String method, boolean... carriedOut) {
        operation = method;
        for (boolean each : carriedOut) {
            losses.add(each);
        }
    }

    private static CompletableFuture<Object> failed() {
        return CompletableFuture.failedFuture(TimersException.unavailable(new IllegalStateException("lost")));
    }
}
