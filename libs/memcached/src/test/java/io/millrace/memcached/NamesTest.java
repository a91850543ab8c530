package io.millrace.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memcached.client.Call;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables: opcodes, statuses, features, and the error map that is made from them. */
class NamesTest {

    @Test
    void opcodes_areFoundByCode() {
        assertThat(Arrays.stream(Opcode.values()).map(Opcode::code)).doesNotHaveDuplicates();
        for (Opcode opcode : Opcode.values()) {
            assertThat(Opcode.of(opcode.code())).isEqualTo(opcode);
            assertThat(opcode.loud().quiet()).isFalse();
        }
        assertThat(Opcode.of(0xfd)).isNull();
        assertThat(Opcode.SETQ.loud()).isEqualTo(Opcode.SET);
        assertThat(Opcode.SETQ.quiet()).isTrue();
    }

    @Test
    void statuses_areFoundByCode() {
        assertThat(Arrays.stream(Status.values()).map(Status::code)).doesNotHaveDuplicates();
        for (Status status : Status.values()) {
            assertThat(Status.of(status.code())).isEqualTo(status);
        }
        assertThat(Status.of(0xfff)).isNull();
    }

    @Test
    void unknownFeatures_areIgnored() {
        byte[] asked = Call.octets(0, 0x06, 0x12, 0x34, 0, 0x09, 0, 0x21, 0, 0x06, 0);

        assertThat(Feature.decode(asked)).containsExactly(Feature.XATTR, Feature.SUBDOC_BINARY_XATTR);
        assertThat(Feature.encode(List.of(Feature.XATTR, Feature.SUBDOC_BINARY_XATTR)))
                .isEqualTo(Call.octets(0, 0x06, 0, 0x21));
    }

    @Test
    void errorMap_namesEveryStatusByItsHexadecimalCode() {
        String map = new String(ErrorMap.json(2), StandardCharsets.UTF_8);

        assertThat(map).startsWith("{\"version\":2,\"revision\":1,\"errors\":{\"0\":{\"name\":\"SUCCESS\"");
        assertThat(map)
                .contains("\"c0\":{\"name\":\"SUBDOC_PATH_ENOENT\",\"desc\":\"There is nothing at the path\","
                        + "\"attrs\":[\"item-only\",\"subdoc\"]}");
        for (Status status : Status.values()) {
            assertThat(map).contains("\"%x\":{\"name\":\"%s\"".formatted(status.code(), status));
        }
        assertThat(new String(ErrorMap.json(1), StandardCharsets.UTF_8)).startsWith("{\"version\":1,");
        assertThat(new String(ErrorMap.json(9), StandardCharsets.UTF_8)).startsWith("{\"version\":2,");
    }
}
