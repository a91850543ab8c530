package io.millrace.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memcached.Incoming.RequestHead;
import io.millrace.memcached.client.Call;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ResponseBatchTest {

    private static final RequestHead HEAD = new RequestHead(true, Opcode.GET.code(), 0, 3, 0, 0, 7, 3, 0x01020304, 99);

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final ChannelHandlerContext context = channel.pipeline().firstContext();
    private final ResponseBatch batch = new ResponseBatch(context);

    @Test
    void response_isWrittenAsAFrame() {
        batch.add(
                HEAD,
                Response.of(Status.LOCKED)
                        .withCas(0xfedcba9876543210L)
                        .withDatatype(Datatypes.JSON)
                        .withExtras(Call.octets(1, 2))
                        .withKey(Call.octets(3))
                        .withValue(Call.octets(4, 5)));
        assertThat((Object) channel.readOutbound()).isNull();
        batch.flush();

        assertThat(written())
                .isEqualTo(Call.octets(
                        0x81, 0, 0, 1, 2, 1, 0, 9, 0, 0, 0, 5, 1, 2, 3, 4, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32,
                        0x10, 1, 2, 3, 4, 5));
    }

    @Test
    void responsesOfAllSizes_keepTheirOrder() {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int size : new int[] {0, 10, 9_000, 1, 8_192, 8_193, 7_000, 7_000, 7_000, 7_000, 7_000, 100_000, 5}) {
            byte[] value = new byte[size];
            Arrays.fill(value, (byte) size);
            batch.add(HEAD, Response.of(Status.SUCCESS).withValue(value));
            expected.writeBytes(ByteBuffer.allocate(24)
                    .put((byte) 0x81)
                    .putInt(8, size)
                    .putInt(12, 0x01020304)
                    .array());
            expected.writeBytes(value);
        }
        batch.flush();

        assertThat(written()).isEqualTo(expected.toByteArray());
    }

    @Test
    void unsentResponses_areReleased() {
        batch.add(HEAD, Response.of(Status.SUCCESS));

        batch.release();
        batch.flush();

        assertThat(written()).isEmpty();
    }

    @Test
    void error_hasItsContextAsJson() {
        Response response = Response.error(Status.EINVAL, "a \"b\" \\ \n ä");

        assertThat(new String(response.value(), StandardCharsets.UTF_8))
                .isEqualTo("{\"error\":{\"context\":\"a \\\"b\\\" \\\\ \\u000a ä\"}}");
        assertThat(response.datatype()).isEqualTo(Datatypes.JSON);
    }

    private byte[] written() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            byte[] bytes = new byte[piece.readableBytes()];
            piece.readBytes(bytes);
            all.writeBytes(bytes);
            piece.release();
        }
        return all.toByteArray();
    }
}
