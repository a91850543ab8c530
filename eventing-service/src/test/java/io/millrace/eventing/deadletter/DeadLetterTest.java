package io.millrace.eventing.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DeadLetterTest {

    private static final JsonMapper JSON = DeadLetter.JSON;

    /** Letters in this form are stored in Redis. */
    private static final String STORED = """
            {"name": "7-42", "entryPoint": "OnUpdate", "version": 5, "scope": "s", "collection": "c", "id": "d", "vbucket": 7,
             "seqno": 42, "cas": 43, "result": "threw", "error": "no", "line": 3, "column": 9, "stack": "at f",
             "attempts": 4, "firstFailed": 1000, "died": 2000, "documentBytes": 7, "document": "{}"}""";

    private final DeadLetter letter = new DeadLetter(
            "7-42",
            "OnUpdate",
            5,
            null,
            new DeadLetter.Change("s", "c", "d", 7, 42, 43),
            new DeadLetter.Failure("threw", "no", 3, 9, "at f"),
            new DeadLetter.Attempts(4, 1000, 2000),
            new DeadLetter.Content(7, "{}"));

    @Test
    void jsonOfALetter_isFlat() {
        assertThat(JSON.readTree(JSON.writeValueAsBytes(letter))).isEqualTo(JSON.readTree(STORED));
    }

    @Test
    void storedLetter_isRead() {
        assertThat(JSON.readValue(STORED, DeadLetter.class)).isEqualTo(letter);
    }

    @Test
    void letterOfAnEarlierProgram_hasNoVersion() {
        String earlier = STORED.replace("\"version\": 5, ", "");

        assertThat(JSON.readValue(earlier, DeadLetter.class).version()).isZero();
    }
}
