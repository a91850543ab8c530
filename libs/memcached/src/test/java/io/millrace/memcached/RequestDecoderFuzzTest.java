package io.millrace.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memcached.client.Call;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Streams of valid and malformed frames, split anywhere. A failure names the round, which is also the seed. */
class RequestDecoderFuzzTest {

    private static final int ROUNDS = 3_000;

    @Test
    void validFrames_splitAnywhere_areAllRequests() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            int frames = 1 + random.nextInt(20);
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            for (int i = 0; i < frames; i++) {
                stream.writeBytes(frame(random, i));
            }

            Run run = new Run(random, stream.toByteArray());

            assertThat(run.requests).as("round %d", round).isEqualTo(frames);
            assertThat(run.others).as("round %d", round).isZero();
        }
    }

    @Test
    void malformedFrames_neverThrowAndReleaseTheirBytes() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(1_000_000 + round);
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            for (int i = 0; i < 10; i++) {
                byte[] frame = frame(random, i);
                int changes = random.nextInt(4);
                for (int n = 0; n < changes; n++) {
                    frame[random.nextInt(random.nextBoolean() ? 24 : frame.length)] = (byte) random.nextInt(256);
                }
                stream.write(frame, 0, random.nextInt(20) == 0 ? random.nextInt(frame.length) : frame.length);
            }

            new Run(random, stream.toByteArray());
        }
    }

    @Test
    void randomBytes_areGarbageOrIncomplete() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(2_000_000 + round);
            byte[] noise = new byte[random.nextInt(500)];
            random.nextBytes(noise);

            new Run(random, noise);
        }
    }

    private static byte[] frame(Random random, int opaque) {
        byte[] extras = new byte[random.nextInt(24)];
        byte[] key = new byte[random.nextInt(250)];
        byte[] value = new byte[random.nextInt(10) == 0 ? random.nextInt(60_000) : random.nextInt(50)];
        random.nextBytes(extras);
        random.nextBytes(value);
        Call call = new Call(
                random.nextInt(256), new byte[0], extras, key, value, random.nextInt(256), random.nextInt(65536), 1);
        return (random.nextBoolean() ? call : call.withFrameExtras(0x50)).frame(opaque);
    }

    /** Feeds one stream in pieces and looks at everything that comes out. */
    private static final class Run {
        int requests;
        int others;

        Run(Random random, byte[] stream) {
            CountedBytes budget = new CountedBytes(100_000);
            EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(budget));
            for (int at = 0; at < stream.length; ) {
                int size = Math.min(stream.length - at, 1 + random.nextInt(random.nextBoolean() ? 30 : 5_000));
                ByteBuf piece = Unpooled.copiedBuffer(stream, at, size);
                channel.writeInbound(piece);
                assertThat(piece.refCnt()).isZero();
                at += size;
                for (Incoming frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
                    take(frame, budget);
                }
                assertThat(budget.held()).isBetween(0L, 100_000L);
            }
            channel.finishAndReleaseAll();
            assertThat(budget.held()).isZero();
        }

        private void take(Incoming frame, CountedBytes budget) {
            if (frame instanceof Request request) {
                requests++;
                int parts = request.keyOffset() + request.key().length + request.value().length;
                assertThat(parts).isEqualTo(request.body().length);
                assertThat(request.frameExtras().problem()).isNotNull();
                budget.give(request.body().length);
            } else {
                others++;
            }
        }
    }
}
