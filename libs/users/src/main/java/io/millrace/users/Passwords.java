package io.millrace.users;

import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Compares passwords with the stored keys on a thread of its own. A password that matched once is checked by a fast hash;
 * equal checks at the same time are one. After a wrong password the thread rests, so that guesses cost a bounded part of
 * one processor.
 */
final class Passwords implements AutoCloseable {

    private static final String QUICK = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int REST_FACTOR = 4;
    private static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA256;

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(UsersLimits.MAX_WAITING),
            task -> Thread.ofPlatform().name("passwords").daemon().unstarted(task));

    private final byte[] secret = new byte[KEY_BYTES];
    private final Map<String, byte[]> right = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Boolean>> checks = new ConcurrentHashMap<>();

    /** Checked for names that no user has, so that the time of a refusal does not tell which names exist. */
    private final ScramKeys absentKeys =
            new ScramKeys(new byte[KEY_BYTES], UsersLimits.ITERATIONS, new byte[MECHANISM.keyBytes()], new byte[0]);

    Passwords() {
        new SecureRandom().nextBytes(secret);
        thread.allowCoreThreadTimeOut(true);
    }

    /** Returns whether this is the password that matched last; costs a fast hash. */
    boolean known(User user, String password) {
        ScramKeys keys = user.keys().get(MECHANISM);
        byte[] before = right.get(user.name());
        return keys != null && before != null && MessageDigest.isEqual(before, quick(password, keys));
    }

    /** The future fails with a {@link java.util.concurrent.RejectedExecutionException} if too many checks are waiting. */
    CompletableFuture<Boolean> matches(@Nullable User user, String password) {
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
        var unused = made.whenComplete((same, failure) -> checks.remove(check));
        try {
            thread.execute(() -> compare(made, name, password, keys, stored == null, quick));
        } catch (RuntimeException e) {
            made.completeExceptionally(e);
        }
        return made;
    }

    private void compare(
            CompletableFuture<Boolean> result,
            String name,
            String password,
            ScramKeys keys,
            boolean absent,
            byte[] quick) {
        long began = System.nanoTime();
        try {
            ScramKeys derived = MECHANISM.derive(password, keys.salt(), keys.iterations());
            boolean same = MessageDigest.isEqual(derived.storedKey(), keys.storedKey()) && !absent;
            if (same) {
                right.put(name, quick);
            }
            result.complete(same);
            if (!same) {
                LockSupport.parkNanos(REST_FACTOR * (System.nanoTime() - began));
            }
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
        }
    }

    /** Forgets the password that matched last. */
    void forget(String name) {
        right.remove(name);
    }

    /** Returns a fast hash. It changes with the user's keys and is useless to another process. */
    private byte[] quick(String password, ScramKeys keys) {
        try {
            Mac mac = Mac.getInstance(QUICK);
            mac.init(new SecretKeySpec(secret, QUICK));
            mac.update(keys.storedKey());
            return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("Every Java platform has " + QUICK, e);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
