package io.millrace.accessspring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.ClusterSecret;
import io.millrace.access.Role;
import io.millrace.access.SessionTokens;
import io.millrace.access.Subject;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

class SessionsTest {

    private final UserDirectory users = new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC());
    private final SessionTokens tokens = new SessionTokens(ClusterSecret.random(), Clock.systemUTC());
    private final Sessions sessions = new Sessions(tokens, users);
    private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.post("/login"));
    private final User ann = User.create("ann", "Ann", Role.parseAll("data_reader[orders]"), "right horse");

    @BeforeEach
    void startUsers() {
        users.start();
        users.save(ann).block();
    }

    @AfterEach
    void stopUsers() {
        users.close();
    }

    private boolean hasSession() {
        String token = Objects.requireNonNull(
                        exchange.getResponse().getCookies().getFirst(Sessions.COOKIE))
                .getValue();
        return tokens.user(token, name -> users.find(name).map(User::stamp)).isPresent();
    }

    @Test
    void aLogin_beginsASession() {
        sessions.begin(exchange, "ann", "right horse").block();

        assertThat(hasSession()).isTrue();
    }

    @Test
    void aPasswordThatChangesWhileTheOldOneIsChecked_endsTheSession() {
        User changed = ann.withPassword("other horse");

        CompletableFuture<Subject> login =
                sessions.begin(exchange, "ann", "right horse").toFuture();
        users.save(changed).block(); // the check, a slow hash on another thread, has only begun
        login.join();

        assertThat(hasSession()).isFalse();
    }
}
