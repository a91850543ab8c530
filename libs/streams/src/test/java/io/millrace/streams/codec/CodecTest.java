package io.millrace.streams.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.EncodedEvent.Encoding;
import io.millrace.streams.store.StreamId;
import io.millrace.streams.store.StreamName;
import io.millrace.streams.store.StreamsException;
import io.millrace.streams.store.TimelineEvent;
import io.millrace.streams.store.Token;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How events are stored; the numbers are those of the Equinox facts. */
class CodecTest {

    sealed interface Event {
        record Noted(String text) implements Event {}

        record Nothing() implements Event {}
    }

    private static final Codec<Event> JSON = Codec.json(Event.class);

    @Test
    void compressed_ofRepetition_isSmall_fact45() {
        EncodedEvent encoded = JSON.compressed(100).encode(new Event.Noted("x".repeat(5000)));

        assertThat(encoded.data()).hasSizeLessThan(138).startsWith("\"");
        assertThat(encoded.dataEncoding()).isEqualTo(Encoding.DEFLATE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "\u00e4\ud83d\ude00 \"quoted\"",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            })
    void everyEvent_roundTrips_fact46(String text) {
        Event event = new Event.Noted(text);

        for (Codec<Event> codec : List.of(JSON, JSON.compressed(0))) {
            EncodedEvent stored =
                    EventJson.event(EventJson.event(codec.encode(event)), 0, 3).event();
            assertThat(codec.decode(stored)).contains(event);
            assertThat(stored.data().startsWith("\"")).isEqualTo(stored.dataEncoding() != Encoding.JSON);
        }
    }

    @Test
    void unfold_thatIsAStringWithoutEncoding_isInflated_fact47() {
        EncodedEvent deflated = Compression.deflate(JSON.encode(new Event.Noted("y".repeat(300))));
        String stored = "[{\"c\":\"Noted\",\"d\":" + deflated.data() + ",\"t\":\"2020-01-01T00:00:00Z\"}]";

        TimelineEvent unfold = EventJson.unfolds(stored.getBytes(java.nio.charset.StandardCharsets.UTF_8), 4)
                .getFirst();

        assertThat(unfold.event().dataEncoding()).isEqualTo(Encoding.DEFLATE);
        assertThat(JSON.decode(unfold.event())).contains(new Event.Noted("y".repeat(300)));
    }

    @Test
    void allFields_ofAnEvent_areKeptByteForByte() {
        EncodedEvent event = new EncodedEvent(
                "Odd",
                "{\"big\": 12345678901234567890.10, \"list\":[ ]}",
                "\"text\"",
                Encoding.JSON,
                Encoding.JSON,
                Instant.parse("2026-01-02T03:04:05.678Z"),
                "correlation",
                "causation");

        assertThat(EventJson.event(EventJson.event(event), 7, 9)).isEqualTo(new TimelineEvent(7, 9, false, event));
        assertThat(EventJson.unfolds(EventJson.unfolds(List.of(event, event)), 7))
                .containsExactly(new TimelineEvent(7, 0, true, event), new TimelineEvent(7, 0, true, event));
    }

    @Test
    void unknownTypes_areLeftOut() {
        assertThat(JSON.decode(EncodedEvent.of("FromTheFuture", "{}", Instant.EPOCH)))
                .isEmpty();
        assertThat(JSON.decode(EncodedEvent.of("Nothing", "{}", Instant.EPOCH))).contains(new Event.Nothing());
    }

    @Test
    void unknownType_isLoggedOnce() {
        List<String> lines = new ArrayList<>();
        Logger log = Logger.getLogger(JsonCodec.class.getName());
        Handler collecting = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(new SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(collecting);
        try {
            Codec<Event> codec = Codec.json(Event.class);
            for (String type : List.of("Renamed", "Nothing", "Renamed", "Newer", "Renamed")) {
                codec.decode(EncodedEvent.of(type, "{}", Instant.EPOCH));
            }
        } finally {
            log.removeHandler(collecting);
        }

        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst())
                .startsWith("event=event_type_unknown type=\"Renamed\" events=%s ".formatted(Event.class.getName()));
        assertThat(lines.getLast()).contains("type=\"Newer\"");
    }

    @Test
    void unreadableData_isReported() {
        EncodedEvent broken =
                EncodedEvent.of("Noted", "\"AAAA\"", Instant.EPOCH).withData("\"AAAA\"", Encoding.DEFLATE);

        assertThatThrownBy(() -> JSON.decode(broken)).isInstanceOf(StreamsException.class);
    }

    @Test
    void token_isStale_whenItIsLower_fact44() {
        assertThat(new Token(1, 5).makesStale(new Token(1, 5))).isFalse();
        assertThat(new Token(1, 5).makesStale(new Token(2, 6))).isFalse();
        assertThat(new Token(2, 6).makesStale(new Token(1, 5))).isTrue();
    }

    @Test
    void streamName_roundTrips() {
        StreamName name = StreamName.create("Favorites", StreamId.of("a", "b-c"));

        assertThat(name).hasToString("Favorites-a_b-c");
        assertThat(StreamName.parse("Favorites-a_b-c")).isEqualTo(name);
        assertThatThrownBy(() -> StreamName.parse("nothing")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StreamId.of("a", "b_c")).isInstanceOf(IllegalArgumentException.class);
    }
}
