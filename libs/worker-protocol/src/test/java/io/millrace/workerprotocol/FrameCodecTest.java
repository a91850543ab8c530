package io.millrace.workerprotocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameCodecTest {

    private static final long SEED = 20260117;

    static List<Frame> samples() {
        return Frames.samples();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void frame_comesBackAsItWas(Frame frame) throws Exception {
        Frame back = FrameCodec.decode(bytes(frame));

        assertThat(back).usingRecursiveComparison().isEqualTo(frame);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void frame_cutAnywhere_isRefused(Frame frame) throws Exception {
        byte[] whole = bytes(frame);

        for (int length : IntStream.range(0, whole.length)
                .filter(n -> n < 300 || n % 997 == 0)
                .toArray()) {
            assertRefused(Arrays.copyOf(whole, length));
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void frame_withSomethingBehindIt_isRefused(Frame frame) throws Exception {
        byte[] whole = bytes(frame);

        assertRefused(Arrays.copyOf(whole, whole.length + 1));
    }

    @Test
    void anyBytes_areAFrameOrRefused() throws Exception {
        Random random = new Random(SEED);
        List<byte[]> originals =
                Frames.samples().stream().map(FrameCodecTest::bytesUnchecked).toList();

        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = damaged(originals.get(random.nextInt(originals.size())), random);
            try {
                FrameCodec.decode(bytes);
            } catch (LinkException e) {
                assertThat(e.code()).isEqualTo(LinkException.Code.MALFORMED);
            }
        }
    }

    private static byte[] damaged(byte[] original, Random random) {
        byte[] bytes = Arrays.copyOf(original, Math.min(original.length, 400));
        if (random.nextInt(4) == 0) {
            bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
        }
        for (int flips = random.nextInt(4); flips >= 0 && bytes.length > 0; flips--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    @Test
    void countThatLies_isRefusedBeforeMemoryIsTaken() {
        byte[] readyWithTwoBillionNames = {3, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 1};

        assertRefused(readyWithTwoBillionNames);
    }

    @Test
    void setupWithoutItsFields_isRefused() throws Exception {
        FrameWriter out = new FrameWriter();
        out.octet(2);
        out.bytes("{\"function\":\"f\"}".getBytes(StandardCharsets.UTF_8));

        assertRefused(Arrays.copyOf(out.array(), out.size()));
    }

    @Test
    void frameBeyondTheLimit_isRefusedWhenSent() {
        Event half = Frames.event("a", new byte[WorkerProtocolLimits.MAX_FRAME_BYTES / 2], null);

        assertThatThrownBy(() -> bytes(new Frame.Batch(1, 0, List.of(half, half))))
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.code()).isEqualTo(LinkException.Code.TOO_LARGE));
    }

    private static void assertRefused(byte[] bytes) {
        assertThatThrownBy(() -> FrameCodec.decode(bytes))
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.code()).isEqualTo(LinkException.Code.MALFORMED));
    }

    private static byte[] bytesUnchecked(Frame frame) {
        try {
            return bytes(frame);
        } catch (LinkException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(Frame frame) throws LinkException {
        FrameWriter out = new FrameWriter();
        FrameCodec.encode(frame, out);
        return Arrays.copyOf(out.array(), out.size());
    }
}
