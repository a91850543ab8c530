package io.millrace.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventMessagesTest {

    private static final String STREAM = """
            event: following
            id: 0-0
            data: {}

            : alive

            id: 1-0
            data: {"message":"Grüße","meta":{}}

            event: gap
            data: {}

            """;

    private static final List<String> MESSAGES = List.of(
            "{\"event\":\"following\",\"id\":\"0-0\",\"data\":{}}",
            "{\"event\":\"message\",\"id\":\"1-0\",\"data\":{\"message\":\"Grüße\",\"meta\":{}}}",
            "{\"event\":\"gap\",\"data\":{}}");

    private final EventMessages events = new EventMessages();

    @Test
    void events_areMessages_whereverTheyAreCut() {
        byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);

        List<String> messages = new ArrayList<>();
        for (byte one : bytes) {
            messages.addAll(events.read(new byte[] {one}));
        }

        assertThat(messages).isEqualTo(MESSAGES);
        assertThat(events.read(bytes)).isEqualTo(MESSAGES);
    }

    @Test
    void eventAboveTheLimit_isRefused_andManySmallOnesAreNot() {
        byte[] small = ("data: \"" + "x".repeat(1 << 20) + "\"\n\n").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 20; i++) {
            assertThat(events.read(small)).hasSize(1);
        }

        assertThatThrownBy(() -> events.read(new byte[WebSocketLimits.MAX_EVENT_BYTES + 1]))
                .isInstanceOf(EventMessages.TooLarge.class);
    }
}
