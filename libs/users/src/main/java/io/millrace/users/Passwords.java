package io.millrace.users;

import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Compares passwords with the stored keys on a thread of its own. A password that matched once is checked by a fast hash;
 * equal checks at the same time are one. After a wrong password the thread rests, so that guesses cost a tenth of one
 * processor. Logins from where the user has logged in before come first, then those from addresses without a failed login, and
 * one address has only a few checks waiting, so that guesses do not keep others from their logins.
 */
final class Passwords implements AutoCloseable {

    private static final String QUICK = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int REST_FACTOR = 9;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA256;

    /**
     * Where a login comes from.
     *
     * @param address the address, "" if it does not count
     * @param standing what is known of it
     */
    record Origin(String address, Standing standing) {

        /** A user who has proved who it is in another way. */
        static final Origin KNOWN = new Origin("", Standing.FAMILIAR);
    }

    /** Whose logins come first. */
    enum Standing {
        /** The user has logged in from there before. */
        FAMILIAR,
        /** No login from there has failed lately. */
        UNKNOWN,
        /** Logins from there have failed. */
        FAILED
    }

    private record Check(Standing standing, long number, CompletableFuture<Boolean> result, Runnable work)
            implements Runnable, Comparable<Check> {

        private static final Comparator<Check> ORDER =
                Comparator.comparing(Check::standing).thenComparingLong(Check::number);

        @Override
        public int compareTo(Check other) {
            return ORDER.compare(this, other);
        }

        @Override
        public void run() {
            work.run();
        }
    }

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            task -> Thread.ofPlatform().name("passwords").daemon().unstarted(task));

    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Integer> waiting = new ConcurrentHashMap<>();

    /** Copied for each use: to look up the algorithm and to set the key costs more than the hash. */
    private final Mac keyed;

    private final Map<String, byte[]> right = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Boolean>> checks = new ConcurrentHashMap<>();

    /** Checked for names that no user has, so that the time of a refusal does not tell which names exist. */
    private final ScramKeys absentKeys =
            new ScramKeys(new byte[KEY_BYTES], UsersLimits.ITERATIONS, new byte[MECHANISM.keyBytes()], new byte[0]);

    Passwords() {
        byte[] secret = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(secret);
        try {
            keyed = Mac.getInstance(QUICK);
            keyed.init(new SecretKeySpec(secret, QUICK));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has " + QUICK, e);
        }
        thread.allowCoreThreadTimeOut(true);
    }

    /** Returns whether this is the password that matched last; costs a fast hash. */
    boolean known(User user, String password) {
        ScramKeys keys = user.keys().get(MECHANISM);
        byte[] before = right.get(user.name());
        return keys != null && before != null && MessageDigest.isEqual(before, quick(password, keys));
    }

    /** The future fails with a {@link RejectedExecutionException} if too many checks are waiting. */
    CompletableFuture<Boolean> matches(@Nullable User user, String password, Origin origin) {
        ScramKeys stored = user == null ? null : user.keys().get(MECHANISM);
        ScramKeys keys = stored == null ? absentKeys : stored;
        byte[] quick = quick(password, keys);
        String name = user == null ? "" : user.name();
        String check = HexFormat.of().formatHex(quick) + name;
        CompletableFuture<Boolean> made = new CompletableFuture<>();
        CompletableFuture<Boolean> running = checks.putIfAbsent(check, made);
        if (running != null) {
            return running;
        }
        boolean counts =
                origin.standing() != Standing.FAMILIAR && !origin.address().isEmpty();
        if (counts && !enter(origin.address())) {
            checks.remove(check);
            made.completeExceptionally(new RejectedExecutionException("Too many checks wait for this address"));
            return made;
        }
        var unused = made.whenComplete((same, failure) -> {
            checks.remove(check);
            if (counts) {
                waiting.computeIfPresent(origin.address(), (address, some) -> some == 1 ? null : some - 1);
            }
        });
        try {
            if (thread.getQueue().size() >= UsersLimits.MAX_WAITING && !madeRoomFor(origin.standing())) {
                throw new RejectedExecutionException("Too many checks wait");
            }
            thread.execute(new Check(
                    origin.standing(),
                    numbers.incrementAndGet(),
                    made,
                    () -> compare(made, name, password, keys, stored == null, quick)));
        } catch (RuntimeException e) {
            made.completeExceptionally(e);
        }
        return made;
    }

    /** A full line gives up its last check for one that goes before it. */
    private boolean madeRoomFor(Standing standing) {
        Check last = thread.getQueue().stream()
                .map(Check.class::cast)
                .max(Comparator.naturalOrder())
                .orElse(null);
        if (last == null || last.standing().compareTo(standing) <= 0 || !thread.remove(last)) {
            return false;
        }
        last.result().completeExceptionally(new RejectedExecutionException("Others came first"));
        return true;
    }

    private boolean enter(String address) {
        boolean[] entered = new boolean[1];
        waiting.compute(address, (same, some) -> {
            int before = some == null ? 0 : some;
            entered[0] = before < UsersLimits.MAX_WAITING_OF_ADDRESS;
            return entered[0] ? before + 1 : some;
        });
        return entered[0];
    }

    private void compare(
            CompletableFuture<Boolean> result,
            String name,
            String password,
            ScramKeys keys,
            boolean absent,
            byte[] quick) {
        long began = usedNanos();
        try {
            ScramKeys derived = MECHANISM.derive(password, keys.salt(), keys.iterations());
            boolean same = MessageDigest.isEqual(derived.storedKey(), keys.storedKey()) && !absent;
            if (same) {
                right.put(name, quick);
            }
            result.complete(same);
            if (!same) {
                LockSupport.parkNanos(REST_FACTOR * (usedNanos() - began));
            }
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    /** The work of the thread, and not the time that others had the processor: a busy machine does not make checks rest longer. */
    private static long usedNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    /** Forgets the password that matched last. */
    void forget(String name) {
        right.remove(name);
    }

    /** Returns a fast hash. It changes with the user's keys and is useless to another process. */
    private byte[] quick(String password, ScramKeys keys) {
        try {
            Mac mac = (Mac) keyed.clone();
            mac.update(keys.storedKey());
            return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(QUICK + " of Java can be copied", e);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
