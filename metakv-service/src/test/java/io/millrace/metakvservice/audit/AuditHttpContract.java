package io.millrace.metakvservice.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The audit trails as services send them and as people read them, on either engine. */
abstract class AuditHttpContract {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @LocalServerPort
    private int port;

    private final String trail = "eventing-service-8096-" + UUID.randomUUID();
    private WebTestClient http;

    @BeforeEach
    void connect() {
        http = WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + port)
                .responseTimeout(PATIENCE)
                .build();
    }

    private static String line(int sequence, String user) {
        return "{\"seq\":%d,\"timestamp\":\"2026-03-01T10:00:%02dZ\",\"id\":32768,\"name\":\"function.save\",\"real_userid\":{\"user\":\"%s\"},\"prev\":\"\\u00e9\"}"
                .formatted(sequence, sequence, user);
    }

    private static List<String> lines(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(sequence -> line(sequence, sequence % 2 == 0 ? "bob" : "alice"))
                .toList();
    }

    private long append(String name, List<String> lines) {
        String answer = http.post()
                .uri("/api/v1/audit/trails/" + name)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(Map.of("lines", lines))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();
        return JsonMapper.shared().readTree(answer).path("sequence").asLong();
    }

    private JsonNode read(String query) {
        return JsonMapper.shared()
                .readTree(http.get()
                        .uri("/api/v1/audit?" + query)
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody(String.class)
                        .returnResult()
                        .getResponseBody());
    }

    private List<Integer> sequences(String query) {
        return StreamSupport.stream(read(query).path("lines").spliterator(), false)
                .map(line -> line.path("seq").asInt())
                .toList();
    }

    @Test
    void lines_areThereOnceInOrder_howeverOftenTheyAreSent() {
        assertThat(append(trail, List.of())).isZero();
        assertThat(append(trail, lines(1, 3))).isEqualTo(3);
        assertThat(append(trail, lines(1, 3))).isEqualTo(3);
        assertThat(append(trail, lines(2, 5))).isEqualTo(5);
        assertThat(append(trail, List.of())).isEqualTo(5);

        assertThat(sequences("trail=" + trail)).containsExactly(1, 2, 3, 4, 5);
        String body = http.get()
                .uri("/api/v1/audit?trail=" + trail)
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();
        assertThat(body).contains(line(1, "alice") + "," + line(2, "bob"));
    }

    @Test
    void servicesThatSendAtTheSameTime_loseNothing() {
        List<String> names =
                IntStream.range(0, 6).mapToObj(i -> trail + "-" + i).toList();

        names.parallelStream().forEach(name -> {
            for (int from = 1; from <= 41; from += 10) {
                append(name, lines(from, from + 9));
            }
        });

        for (String name : names) {
            assertThat(sequences("max=1000&trail=" + name))
                    .isEqualTo(IntStream.rangeClosed(1, 50).boxed().toList());
        }
        assertThat(http.get()
                        .uri("/api/v1/audit/trails")
                        .exchange()
                        .expectBody(String.class)
                        .returnResult()
                        .getResponseBody())
                .contains("{\"trail\":\"" + names.getFirst() + "\",\"sequence\":50}");
    }

    @Test
    void lastLines_areReadWithoutThoseBefore() {
        append(trail, lines(1, 20));

        assertThat(sequences("last=10&trail=" + trail)).endsWith(20).allMatch(sequence -> sequence > 10);
        assertThat(sequences("last=1000&max=1000&trail=" + trail)).hasSize(20);
        http.get()
                .uri("/api/v1/audit?last=0")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody();
    }

    @Test
    void pages_goOnFromTheirPosition() {
        append(trail, lines(1, 50));
        List<Integer> read = new ArrayList<>();
        long since = 0;
        boolean more = true;

        while (more) {
            JsonNode page = read("max=7&trail=" + trail + "&since=" + since);
            page.path("lines").forEach(line -> read.add(line.path("seq").asInt()));
            since = page.path("next").asLong();
            more = page.path("more").asBoolean();
        }

        assertThat(read).isEqualTo(IntStream.rangeClosed(1, 50).boxed().toList());
        http.get()
                .uri("/api/v1/audit?since=" + (since + 1_000_000))
                .exchange()
                .expectStatus()
                .isEqualTo(410)
                .expectBody();
    }

    @Test
    void lines_areSelectedByUserTimeAndEvent() {
        append(trail, lines(1, 6));

        assertThat(sequences("user=bob&trail=" + trail)).containsExactly(2, 4, 6);
        assertThat(sequences("from=2026-03-01T10:00:03Z&to=2026-03-01T10:00:05Z&trail=" + trail))
                .containsExactly(3, 4);
        assertThat(sequences("event=32768&trail=" + trail)).hasSize(6);
        assertThat(sequences("event=function.save&trail=" + trail)).hasSize(6);
        assertThat(sequences("event=user.set&trail=" + trail)).isEmpty();
    }

    @Test
    void follower_getsLinesAsTheyArrive() {
        append(trail, lines(1, 2));
        Flux<String> lines = http.get()
                .uri("/api/v1/audit?trail=" + trail)
                .accept(MediaType.TEXT_EVENT_STREAM)
                .exchange()
                .returnResult(String.class)
                .getResponseBody()
                .filter(line -> !line.isEmpty());

        List<String> got = lines.publishOn(Schedulers.boundedElastic())
                .doOnNext(line -> {
                    if (line.equals(line(2, "bob"))) {
                        append(trail, lines(3, 3));
                    }
                })
                .take(3)
                .collectList()
                .block(PATIENCE);

        assertThat(got).isEqualTo(lines(1, 3));
    }

    @Test
    void mistakes_areRefusedInWords() {
        http.get()
                .uri("/api/v1/audit?from=yesterday")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody();
        http.get()
                .uri("/api/v1/audit?max=0")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody();
        http.get()
                .uri("/api/v1/audit?since=-1")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody();
        http.post()
                .uri("/api/v1/audit/trails/" + trail)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(Map.of("lines", List.of("{}")))
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectBody();
    }
}
