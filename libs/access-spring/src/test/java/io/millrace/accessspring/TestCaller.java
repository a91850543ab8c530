package io.millrace.accessspring;

import io.millrace.access.ClusterSecret;
import io.millrace.access.IdentityTokens;
import io.millrace.access.Subject;
import io.millrace.users.UserDirectory;
import java.time.Clock;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.WebFilter;

/**
 * Makes requests of tests without credentials those of an administrator, whom another service of the cluster names, or of
 * that service where only services ask; also requests with credentials where there are no users, as the gateway does.
 * Services whose tests have this kit are shut, as by default, and their tests are about what comes after the gate.
 */
@AutoConfiguration(before = AccessAutoConfiguration.class)
public class TestCaller {

    /** A header of requests that no service passes on: they have the credentials that they have. */
    public static final String DIRECT = "X-Test-Direct";

    private static final String ASKED_BY_SERVICES = "metakv-service";
    private static final Clock CLOCK = Clock.systemUTC();
    private static final ClusterSecret SECRET = ClusterSecret.random();
    private static final IdentityTokens TOKENS = new IdentityTokens(SECRET, CLOCK);

    /** Returns a token of an administrator, for requests that are answered in front of the filters. */
    public static String administrator() {
        return token(Subject.open());
    }

    /** Returns a token of a subject. */
    public static String token(Subject subject) {
        return TOKENS.issue(subject, "test");
    }

    @Bean
    ClusterIdentity clusterIdentity(@Value("${spring.application.name}") String service) {
        return new ClusterIdentity(Optional.of(SECRET), service, CLOCK);
    }

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter testCaller(ObjectProvider<UserDirectory> users, @Value("${spring.application.name}") String service) {
        Subject caller = service.equals(ASKED_BY_SERVICES) ? Subject.service("test") : Subject.open();
        return (exchange, chain) -> {
            HttpHeaders headers = exchange.getRequest().getHeaders();
            boolean user = headers.containsHeader(HttpHeaders.AUTHORIZATION) && users.getIfAvailable() != null;
            if (user || headers.containsHeader(IdentityTokens.HEADER) || headers.containsHeader(DIRECT)) {
                return chain.filter(exchange);
            }
            ServerHttpRequest request = exchange.getRequest()
                    .mutate()
                    .header(IdentityTokens.HEADER, TOKENS.issue(caller, "test"))
                    .build();
            return chain.filter(exchange.mutate().request(request).build());
        };
    }
}
