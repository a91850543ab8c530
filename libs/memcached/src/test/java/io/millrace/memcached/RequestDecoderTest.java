package io.millrace.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memcached.client.Call;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {

    private static final Call SET = Call.of(Opcode.SET, "key")
            .withExtras(Call.numbers(0xfedcba98, 60))
            .withValue("value")
            .withDatatype(Datatypes.JSON)
            .withVbucket(1023)
            .withCas(0xfedcba9876543210L);

    private final CountedBytes budget = new CountedBytes(1 << 20);
    private final RequestDecoder decoder = new RequestDecoder(budget);
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

    @AfterEach
    void budget_afterAllFramesAreHandled_isFree() {
        channel.finishAndReleaseAll();
        assertThat(budget.held()).isZero();
    }

    @Test
    void frame_inOneRead_isARequest() {
        write(SET.frame(0x01020304));

        assertSet(request(), 0x01020304);
        assertThat(decoder.midFrame()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 23, 24, 25})
    void frames_inSeveralReads_areRequests(int size) {
        byte[] three = concat(SET.frame(1), Call.of(Opcode.NOOP).frame(2), SET.frame(3));

        for (int at = 0; at < three.length; at += size) {
            write(Arrays.copyOfRange(three, at, Math.min(three.length, at + size)));
        }

        assertSet(request(), 1);
        assertThat(request().opcode()).isEqualTo(Opcode.NOOP);
        assertSet(request(), 3);
        assertThat((Object) channel.readInbound()).isNull();
    }

    @Test
    void flexibleFrame_hasFrameExtras() {
        write(SET.withFrameExtras(0x13, 1, 0x12, 0x34, 0x50).frame(5));

        Request request = request();
        assertThat(request.frameExtras())
                .isEqualTo(new FrameExtras(new Durability(Durability.MAJORITY, 0x1234), true, Status.SUCCESS));
        assertThat(request.key()).isEqualTo(bytes("key"));
        assertThat(request.value()).isEqualTo(bytes("value"));
        assertThat(request.extra32(0)).isEqualTo(0xfedcba98);
        give(request);
    }

    @Test
    void unknownOpcode_isARequest() {
        byte[] frame = Call.of(Opcode.NOOP).frame(1);
        frame[1] = (byte) 0xfd;
        write(frame);

        Request request = request();
        assertThat(request.opcode()).isNull();
        assertThat(request.head().opcode()).isEqualTo(0xfd);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x81, 0x18, 0x82, 0x47, 0xff})
    void unknownMagic_isGarbageAndEndsTheConnection(int magic) {
        byte[] frame = SET.frame(1);
        frame[0] = (byte) magic;

        write(concat(frame, SET.frame(2)));
        write(SET.frame(3));

        assertThat((Object) channel.readInbound()).isInstanceOf(Incoming.Garbage.class);
        assertThat((Object) channel.readInbound()).isNull();
    }

    @Test
    void partsLongerThanTheBody_areRefusedAndEndTheConnection() {
        byte[] frame = SET.frame(9);
        frame[11] = 10;

        write(concat(frame, SET.frame(2)));

        assertRefused(Status.EINVAL, 9, true);
        assertThat((Object) channel.readInbound()).isNull();
    }

    @Test
    void tooLargeBody_isSkippedAndRefused() {
        byte[] value = new byte[MemcachedLimits.MAX_REQUEST_BYTES];
        byte[] frame = Call.of(Opcode.SET, "k").withValue(value).frame(9);

        for (int at = 0; at < frame.length; at += 1 << 20) {
            assertThat(decoder.midFrame()).isEqualTo(at > 0);
            write(Arrays.copyOfRange(frame, at, Math.min(frame.length, at + (1 << 20))));
        }
        write(SET.frame(2));

        assertRefused(Status.E2BIG, 9, false);
        assertSet(request(), 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {MemcachedLimits.MAX_SKIPPED_BYTES + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void bodyTooLargeToSkip_endsTheConnection(int length) {
        ByteBuf frame = Unpooled.wrappedBuffer(SET.frame(9));
        frame.setInt(8, length);

        channel.writeInbound(frame);

        assertRefused(Status.E2BIG, 9, true);
    }

    @Test
    void announcedBody_isNotAllocatedBeforeItArrives() {
        byte[] frame = Call.of(Opcode.SET, "k").withValue(new byte[900_000]).frame(1);

        write(Arrays.copyOf(frame, 30));
        assertThat(budget.held()).isPositive().isLessThanOrEqualTo(2 * MemcachedLimits.MAX_ADVANCE_BYTES);
        write(Arrays.copyOfRange(frame, 30, 100_000));
        assertThat(budget.held()).isBetween(100_000L, 2 * 100_000L);
        write(Arrays.copyOfRange(frame, 100_000, frame.length));

        assertThat(budget.held()).isEqualTo(900_001);
        give(request());
    }

    @Test
    void bodyBeyondTheBudget_isSkippedAndRefused() {
        byte[] frame = Call.of(Opcode.SET, "k").withValue(new byte[2 << 20]).frame(1);

        for (int at = 0; at < frame.length; at += 100_000) {
            write(Arrays.copyOfRange(frame, at, Math.min(frame.length, at + 100_000)));
        }
        write(SET.frame(2));

        assertRefused(Status.ETMPFAIL, 1, false);
        assertSet(request(), 2);
    }

    @Test
    void connectionClosedWithinAFrame_returnsItsBytes() {
        write(Arrays.copyOf(Call.of(Opcode.SET, "k").withValue(new byte[90_000]).frame(1), 50_000));
        assertThat(budget.held()).isPositive();

        channel.close();

        assertThat(budget.held()).isZero();
    }

    private void assertRefused(Status status, int opaque, boolean last) {
        Incoming.Refused refused = channel.readInbound();
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.head().opaque()).isEqualTo(opaque);
        assertThat(refused.last()).isEqualTo(last);
    }

    private void assertSet(Request request, int opaque) {
        assertThat(request.opcode()).isEqualTo(Opcode.SET);
        assertThat(request.head().opaque()).isEqualTo(opaque);
        assertThat(request.head().datatype()).isEqualTo(Datatypes.JSON);
        assertThat(request.head().vbucket()).isEqualTo(1023);
        assertThat(request.cas()).isEqualTo(0xfedcba9876543210L);
        assertThat(request.extrasLength()).isEqualTo(8);
        assertThat(request.extra32(0)).isEqualTo(0xfedcba98);
        assertThat(request.extra64(0)).isEqualTo(0xfedcba98_0000003cL);
        assertThat(request.key()).isEqualTo(bytes("key"));
        assertThat(request.value()).isEqualTo(bytes("value"));
        assertThat(request.frameExtras()).isEqualTo(FrameExtras.NONE);
        give(request);
    }

    private void give(Request request) {
        budget.give(request.body().length);
    }

    private Request request() {
        return channel.readInbound();
    }

    private void write(byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
    }

    private static byte[] concat(byte[]... parts) {
        List<Byte> all = new ArrayList<>();
        for (byte[] part : parts) {
            for (byte b : part) {
                all.add(b);
            }
        }
        byte[] bytes = new byte[all.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = all.get(i);
        }
        return bytes;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
