package io.millrace.n1ql.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.Rows;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.MemoryKeyspaces.MemoryKeyspace;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The statements of a cron scheduler over a well-known set of documents. */
class TravelSampleTest {

    private final MemoryKeyspaces keyspaces = new MemoryKeyspaces();
    private final QueryEngine engine = new QueryEngine(keyspaces, InstantSource.system());

    @BeforeEach
    void load() throws IOException {
        Path file = ConformanceTest.cases().resolve("../../data/travel-sample-subset.jsonl");
        assumeTrue(Files.exists(file), "the documents are not next to the repository");
        MemoryKeyspace travel = keyspaces.create("travel-sample");
        for (String line : Files.readAllLines(file)) {
            ObjectValue entry = (ObjectValue) Objects.requireNonNull(Json.parse(line));
            travel.put(
                    ((StringValue) entry.get("id")).text(), entry.get("value").toJsonBytes());
        }
        keyspaces.create("crondata");
        rows("CREATE PRIMARY INDEX ON `travel-sample`");
        rows("CREATE PRIMARY INDEX ON `crondata`");
    }

    private List<String> rows(String statement) {
        List<String> rows = new ArrayList<>();
        try (Rows cursor = engine.execute(statement, QueryOptions.DEFAULT)) {
            for (Value row = cursor.next(); row != null; row = cursor.next()) {
                rows.add(row.toJson());
            }
        }
        return rows;
    }

    @Test
    void airlines_perCountry() {
        assertThat(rows("SELECT country, count( * ) AS cnt FROM `travel-sample` WHERE `type` = 'airline' GROUP"
                        + " BY country"))
                .containsExactlyInAnyOrder(
                        "{\"country\":\"United States\",\"cnt\":100}",
                        "{\"country\":\"United Kingdom\",\"cnt\":30}",
                        "{\"country\":\"France\",\"cnt\":20}");
    }

    @Test
    void airlinesOfOneLetter_areDeletedAndCounted() {
        List<String> gone = rows(
                "DELETE FROM `travel-sample` WHERE `type` = 'airline' AND callsign LIKE 'U%'" + " RETURNING META().id");

        assertThat(gone).isNotEmpty();
        assertThat(rows("SELECT RAW COUNT(*) FROM `travel-sample` WHERE type = 'airline'"))
                .containsExactly(Integer.toString(150 - gone.size()));
    }

    @Test
    void events_areWrittenSwitchedAndRemoved() {
        rows("INSERT INTO `crondata` (KEY,VALUE) VALUES (\"recurring_event::1\","
                + " {\"type\":\"recurring_event\",\"id\":1,"
                + "\"hour\":\"14\",\"min\":\"54\",\"action\":\"doCronActionA\",\"active\":true})");
        rows("UPDATE `crondata` SET hour = 11, min = 30 WHERE type=\"recurring_event\" AND id=1");
        rows("UPDATE `crondata` SET verbose = {\"scheduler\": 3} WHERE type=\"recurring_event\"");
        rows("UPDATE `crondata` SET verbose.scheduler = 0, verbose.user_func = 1, active=true, hour=\"*\", min=\"*\""
                + " WHERE type=\"recurring_event\" AND id=1");

        assertThat(rows("SELECT active, action, hour, min, type, id, verbose.user_func, verbose.scheduler"
                        + " FROM `crondata` where type=\"recurring_event\" order by id"))
                .containsExactly("{\"active\":true,\"action\":\"doCronActionA\",\"hour\":\"*\",\"min\":\"*\","
                        + "\"type\":\"recurring_event\",\"id\":1,\"user_func\":1,\"scheduler\":0}");

        rows("DELETE FROM `crondata` WHERE type=\"recurring_event\" AND id=1");
        assertThat(rows("SELECT * FROM `crondata`")).isEmpty();
    }
}
