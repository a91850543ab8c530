package io.millrace.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memcached.client.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Leb128Test {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x7f, 0x80, 0x555, 0x3fff, 0x4000, 0x0fffffff, 0x10000000, Integer.MAX_VALUE, -1})
    void number_encodedAndDecoded_isUnchanged(int number) {
        byte[] bytes = Leb128.encode(number);

        assertThat(Leb128.length(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        assertThat(Leb128.decode(bytes, 0)).isEqualTo(number);
    }

    @Test
    void number_isEncodedLowestBitsFirst() {
        assertThat(Leb128.encode(0)).isEqualTo(Call.octets(0));
        assertThat(Leb128.encode(0x80)).isEqualTo(Call.octets(0x80, 0x01));
        assertThat(Leb128.encode(0x555)).isEqualTo(Call.octets(0xd5, 0x0a));
        assertThat(Leb128.encode(-1)).isEqualTo(Call.octets(0xff, 0xff, 0xff, 0xff, 0x0f));
    }

    @Test
    void invalidNumber_hasNoLength() {
        for (byte[] broken : new byte[][] {
            {},
            Call.octets(0x80),
            Call.octets(0x80, 0x00),
            Call.octets(0xff, 0xff, 0xff, 0xff, 0x10),
            Call.octets(0xff, 0xff, 0xff, 0xff, 0xff, 0x01)
        }) {
            assertThat(Leb128.length(broken, 0, broken.length)).isEqualTo(Leb128.NONE);
        }
        assertThat(Leb128.length(Call.octets(1, 0x80, 1), 1, 2)).isEqualTo(Leb128.NONE);
    }
}
