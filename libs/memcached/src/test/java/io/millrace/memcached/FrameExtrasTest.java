package io.millrace.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.memcached.client.Call;
import org.junit.jupiter.api.Test;

class FrameExtrasTest {

    @Test
    void emptyFrameExtras_haveNoEffect() {
        assertThat(parse()).isEqualTo(FrameExtras.NONE);
    }

    @Test
    void durability_hasALevelAndAnOptionalTimeout() {
        assertThat(parse(0x11, 3).durability()).isEqualTo(new Durability(Durability.PERSIST_TO_MAJORITY, 0));
        assertThat(parse(0x13, 2, 0xff, 0xff).durability())
                .isEqualTo(new Durability(Durability.MAJORITY_AND_PERSIST_TO_ACTIVE, 65535));
        assertThat(parse(0x11, 99).durability()).isEqualTo(new Durability(99, 0));
    }

    @Test
    void ignoredFrameInfo_isSkipped() {
        assertThat(parse(0x00, 0x33, 1, 2, 3, 0x22, 1, 1, 0x50)).isEqualTo(new FrameExtras(null, true, Status.SUCCESS));
    }

    @Test
    void escapedValues_addTheNextByte() {
        int[] tracing = new int[3 + 20];
        tracing[0] = 0x3f;
        tracing[1] = 5;
        tracing[tracing.length - 1] = 0x50;

        assertThat(parse(tracing).preserveTtl()).isTrue();
        assertThat(parse(0xf0, 0).problem()).isEqualTo(Status.UNKNOWN_FRAME_INFO);
    }

    @Test
    void unknownId_hasItsOwnStatus() {
        assertThat(parse(0x70).problem()).isEqualTo(Status.UNKNOWN_FRAME_INFO);
    }

    @Test
    void truncatedFrameInfo_isInvalid() {
        for (int[] broken : new int[][] {{0x13, 1}, {0x12, 1, 1}, {0x10}, {0x51, 0}, {0xf0}, {0x0f}, {0x3f, 255}}) {
            assertThat(parse(broken).problem()).isEqualTo(Status.EINVAL);
        }
    }

    private static FrameExtras parse(int... octets) {
        return FrameExtras.parse(Call.octets(octets), octets.length);
    }
}
