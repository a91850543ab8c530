package io.millrace.subdocservice.users;

import io.millrace.memcached.sasl.ScramKeys;
import io.millrace.memcached.sasl.ScramMechanism;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Compares passwords with the stored keys on a thread of its own. A password that matched once is checked by a fast hash. */
final class Passwords implements AutoCloseable {

    private static final String QUICK = "HmacSHA256";
    private static final int MAX_WAITING = 1000;
    private static final int KEY_BYTES = 32;

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            task -> Thread.ofPlatform().name("passwords").daemon().unstarted(task));

    private final byte[] secret = new byte[KEY_BYTES];
    private final Map<String, byte[]> right = new ConcurrentHashMap<>();

    Passwords() {
        new SecureRandom().nextBytes(secret);
        thread.allowCoreThreadTimeOut(true);
    }

    /** The future fails if too many checks are waiting. */
    CompletableFuture<Boolean> matches(User user, String password) {
        ScramMechanism mechanism = ScramMechanism.SCRAM_SHA256;
        ScramKeys keys = user.keys().get(mechanism);
        if (keys == null) {
            return CompletableFuture.completedFuture(false);
        }
        byte[] quick = quick(password, keys);
        byte[] before = right.get(user.name());
        if (before != null && MessageDigest.isEqual(before, quick)) {
            return CompletableFuture.completedFuture(true);
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    ScramKeys derived = mechanism.derive(password, keys.salt(), keys.iterations());
                    boolean same = MessageDigest.isEqual(derived.storedKey(), keys.storedKey());
                    if (same) {
                        right.put(user.name(), quick);
                    }
                    return same;
                },
                thread);
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
