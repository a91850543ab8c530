package io.millrace.eventing.http.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.functions.FakeRuntime;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DebugSessionsTest {

    private static final FunctionName F = FunctionName.of("f");
    private static final Duration HOUR = Duration.ofHours(1);

    private final HttpClient http = HttpClient.newHttpClient();
    private DebugSessions sessions = new DebugSessions(new FakeRuntime(), InstantSource.system(), HOUR);

    @AfterEach
    void end() {
        http.shutdownNow();
        sessions.close();
    }

    @Test
    void client_mustKnowThePathAndNotBeAPage() {
        String url = sessions.open(F, HOUR).url();

        assertThat(url).matches("ws://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}");
        assertRefused(url + "0", "");
        assertRefused(url.replaceFirst("/[0-9a-f]{32}$", "/json/list"), "");
        assertRefused(url, "http://127.0.0.1:8080");
        connect(url, "devtools://devtools").abort();
        connect(url, "").abort();
    }

    @Test
    void session_endsByItself() {
        DebugSession session = sessions.open(F, Duration.ofMillis(1));

        session.ended().join();

        assertThat(session.isClosed()).isTrue();
        assertThat(session.describe().path("error").asString()).contains("time");
        assertThat(sessions.find(F)).contains(session);
    }

    @Test
    void sessionThatHasEnded_isForgotten() {
        sessions = new DebugSessions(new FakeRuntime(), InstantSource.system(), Duration.ofMillis(1));
        DebugSession session = sessions.open(F, HOUR);
        assertThat(sessions.find(F)).contains(session);

        session.close();

        await().untilAsserted(() -> assertThat(sessions.find(F)).isEmpty());
        assertThat(session.ended()).isCompleted();
    }

    @Test
    void function_hasOneDebuggerAndTheNodeFour() {
        DebugSession first = sessions.open(F, HOUR);
        DebugSession second = sessions.open(F, HOUR);
        assertThat(first.isClosed()).isTrue();
        assertThat(second.isClosed()).isFalse();
        for (int i = 1; i < 4; i++) {
            sessions.open(FunctionName.of("other" + i), HOUR);
        }

        assertThatThrownBy(() -> sessions.open(FunctionName.of("fifth"), HOUR))
                .isInstanceOf(FunctionsException.class)
                .hasMessageContaining("end one");
        second.close();
        assertThat(sessions.open(FunctionName.of("fifth"), HOUR).isClosed()).isFalse();
    }

    private void assertRefused(String url, String origin) {
        assertThatThrownBy(() -> connect(url, origin)).hasCauseInstanceOf(WebSocketHandshakeException.class);
    }

    private WebSocket connect(String url, String origin) {
        WebSocket.Builder builder = http.newWebSocketBuilder();
        if (!origin.isEmpty()) {
            builder.header("Origin", origin);
        }
        return builder.buildAsync(URI.create(url), new WebSocket.Listener() {}).join();
    }
}
