package io.millrace.memcached.client;

import io.millrace.memcached.Feature;
import java.util.Arrays;
import java.util.Random;

/** Generates requests of every opcode, most of them malformed. The same seed generates the same requests. */
public final class MalformedFrames {

    private static final int OPCODES = 256;
    private static final int VBUCKETS = 1024;
    private static final int DURABILITY_FRAME = 0x11;
    private static final String PATHS = "abc.[0-1]`\"";

    private final Random random;

    public MalformedFrames(long seed) {
        random = new Random(seed);
    }

    /** Returns random features for HELLO. */
    public Feature[] features() {
        return Arrays.stream(Feature.values())
                .filter(feature -> random.nextBoolean())
                .toArray(Feature[]::new);
    }

    /** Returns true with a probability of one in {@code many}. */
    public boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    /** Returns a frame; sometimes only its first half. */
    public byte[] next() {
        Call call = new Call(
                random.nextInt(OPCODES), new byte[0], extras(), key(), value(), 0, random.nextInt(VBUCKETS), 0);
        byte[] frame =
                (oneIn(3) ? call.withFrameExtras(DURABILITY_FRAME, random.nextInt(5)) : call).frame(random.nextInt());
        for (int spoilt = random.nextInt(3); spoilt > 0; spoilt--) {
            frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
        }
        return oneIn(50) ? Arrays.copyOf(frame, frame.length / 2) : frame;
    }

    private byte[] extras() {
        byte[] extras = new byte[random.nextInt(4) * 4 + random.nextInt(4)];
        for (int i = 0; i < extras.length; i++) {
            extras[i] = (byte) (random.nextBoolean() ? random.nextInt(8) : 0);
        }
        return extras;
    }

    private byte[] key() {
        byte[] key = new byte[random.nextInt(8)];
        Arrays.fill(key, (byte) ('a' + random.nextInt(3)));
        return key;
    }

    private byte[] value() {
        byte[] value = new byte[oneIn(2) ? random.nextInt(300) : 0];
        if (oneIn(3)) {
            random.nextBytes(value);
        } else {
            for (int i = 0; i < value.length; i++) {
                value[i] = (byte) (oneIn(4) ? random.nextInt(8) : PATHS.charAt(random.nextInt(PATHS.length())));
            }
        }
        return value;
    }
}
