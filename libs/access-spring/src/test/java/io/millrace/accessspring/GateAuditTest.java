package io.millrace.accessspring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.POST;

import io.millrace.access.ClusterSecret;
import io.millrace.access.Permission;
import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.audit.Audit;
import io.millrace.audit.AuditEvent;
import io.millrace.audit.AuditEvent.Outcome;
import io.millrace.audit.Verification;
import io.millrace.metakv.MetakvClient;
import io.millrace.users.User;
import io.millrace.users.UserDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

class GateAuditTest {

    private final UserDirectory users = new UserDirectory(MetakvClient.inMemory(), Clock.systemUTC());
    private final List<AuditEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger deleted = new AtomicInteger();

    @TempDir
    private Path directory;

    @BeforeEach
    void startUsers() {
        users.start();
        users.save(User.create("root", "Root", List.of(Role.ADMIN), "battery staple"))
                .block();
        users.save(User.create("ann", "Ann", Role.parseAll("data_reader[orders]"), "right horse"))
                .block();
    }

    @AfterEach
    void stopUsers() {
        users.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebFlux
    static class Service {

        @Bean
        Doors doors() {
            return Doors.table()
                    .cluster(Permission.FUNCTIONS_READ, GET, "/api/v1/functions/{name}")
                    .cluster(Permission.FUNCTIONS_MANAGE, GET, "/api/v1/functions/{name}/debug")
                    .cluster(Permission.FUNCTIONS_MANAGE, POST, "/api/v1/functions/{name}/deploy")
                    .cluster(Permission.FUNCTIONS_MANAGE, DELETE, "/api/v1/functions/{name}")
                    .known(POST, "/controller/changePassword")
                    .delegated(POST, "/api/v1/session")
                    .delegated(GET, "/handled/{status}", "/passed/{status}", "/marked")
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> router(AtomicInteger deleted, Sessions sessions) {
            return RouterFunctions.route()
                    .GET(
                            "/api/v1/functions/{name}",
                            request -> ServerResponse.ok().build())
                    .GET(
                            "/api/v1/functions/{name}/debug",
                            request -> ServerResponse.ok().build())
                    .POST(
                            "/api/v1/functions/{name}/deploy",
                            request -> ServerResponse.ok().build())
                    .POST(
                            "/controller/changePassword",
                            request -> ServerResponse.ok().build())
                    .POST(
                            "/api/v1/session",
                            request -> sessions.begin(request.exchange(), "ann", "wrong-pw")
                                    .flatMap(subject -> ServerResponse.ok().build()))
                    .GET(
                            "/handled/{status}",
                            request -> ServerResponse.status(Integer.parseInt(request.pathVariable("status")))
                                    .build())
                    .GET("/passed/{status}", request -> {
                        RefusalMarks.passedOn(request.exchange());
                        return ServerResponse.status(Integer.parseInt(request.pathVariable("status")))
                                .build();
                    })
                    .GET("/marked", request -> {
                        RefusalMarks.refused(request.exchange(), "UPDATE", "Add role query_update.");
                        return ServerResponse.ok().build();
                    })
                    .DELETE("/api/v1/functions/{name}", request -> {
                        deleted.incrementAndGet();
                        return ServerResponse.ok().build();
                    })
                    .build();
        }
    }

    private ReactiveWebApplicationContextRunner runner() {
        return runner(new ClusterIdentity(Optional.empty(), "test-service", Clock.systemUTC()));
    }

    private ReactiveWebApplicationContextRunner runner(ClusterIdentity identity) {
        return new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AccessAutoConfiguration.class))
                .withUserConfiguration(Service.class)
                .withBean(UserDirectory.class, () -> users)
                .withBean(AtomicInteger.class, () -> deleted)
                .withBean(ClusterIdentity.class, () -> identity)
                .withPropertyValues("spring.application.name=test-service", "server.address=127.0.0.1");
    }

    private ReactiveWebApplicationContextRunner recorded() {
        return recorded(new ClusterIdentity(Optional.empty(), "test-service", Clock.systemUTC()));
    }

    private ReactiveWebApplicationContextRunner recorded(ClusterIdentity identity) {
        return runner(identity).withBean(Audit.class, () -> event -> {
            events.add(event);
            return CompletableFuture.completedFuture(null);
        });
    }

    private static int status(
            ApplicationContext context, HttpMethod method, String path, String user, String password) {
        return WebTestClient.bindToApplicationContext(context)
                .build()
                .method(method)
                .uri(path)
                .headers(headers -> headers.setBasicAuth(user, password))
                .header("X-Request-Id", "r-7")
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }

    @Test
    void act_isRecordedWithWhoAndHowAndWhat() {
        recorded().run(context -> {
            assertThat(status(context, DELETE, "/api/v1/functions/f?x=secret", "root", "battery staple"))
                    .isEqualTo(200);
            assertThat(status(context, POST, "/api/v1/functions/f/deploy", "root", "battery staple"))
                    .isEqualTo(200);

            assertThat(events).hasSize(2);
            AuditEvent first = events.getFirst();
            assertThat(first.kind().id()).isEqualTo(32769);
            assertThat(first.outcome()).isEqualTo(Outcome.ALLOWED);
            assertThat(first.actor())
                    .returns("root", AuditEvent.Actor::name)
                    .returns("local", AuditEvent.Actor::domain)
                    .returns("basic", AuditEvent.Actor::method);
            assertThat(first.resource()).isEqualTo("DELETE /api/v1/functions/f");
            assertThat(first.requestId()).isEqualTo("r-7");
            assertThat(events.getLast().kind().name()).isEqualTo("functions.manage");
        });
    }

    @Test
    void actThatNeedsNoRole_isRecordedIfItHasAName() {
        recorded().run(context -> {
            assertThat(status(context, POST, "/controller/changePassword", "ann", "right horse"))
                    .isEqualTo(200);

            assertThat(events)
                    .extracting(
                            event -> event.kind().name(), event -> event.actor().name())
                    .containsExactly(tuple("password.change", "ann"));
        });
    }

    @Test
    void reading_isNotRecorded() {
        recorded().run(context -> {
            assertThat(status(context, GET, "/api/v1/functions/f", "root", "battery staple"))
                    .isEqualTo(200);
            assertThat(status(context, GET, "/api/v1/functions/f/debug", "root", "battery staple"))
                    .isEqualTo(200);
            assertThat(events).isEmpty();
        });
    }

    @Test
    void everyRefusal_isRecorded() {
        recorded().run(context -> {
            assertThat(status(context, GET, "/api/v1/functions/f", "ann", "wrong-pw"))
                    .isEqualTo(401);
            assertThat(status(context, DELETE, "/api/v1/functions/f", "ann", "right horse"))
                    .isEqualTo(403);

            assertThat(events).extracting(AuditEvent::outcome).containsExactly(Outcome.REFUSED, Outcome.REFUSED);
            assertThat(events.getFirst().kind().id()).isEqualTo(8193);
            assertThat(events.getFirst().actor().name()).isEqualTo("ann");
            assertThat(events.getLast().kind().name()).isEqualTo("access.forbidden");
            assertThat(events.getLast().reason()).contains("functions.manage");
            assertThat(events.toString()).doesNotContain("wrong-pw").doesNotContain("right horse");
        });
    }

    @Test
    void refusalOfAHandler_isRecorded() {
        recorded().run(context -> {
            assertThat(status(context, GET, "/handled/403", "ann", "right horse"))
                    .isEqualTo(403);
            assertThat(status(context, GET, "/handled/404", "ann", "right horse"))
                    .isEqualTo(404);

            assertThat(events)
                    .extracting(
                            AuditEvent::outcome,
                            AuditEvent::resource,
                            event -> event.actor().name())
                    .containsExactly(tuple(Outcome.REFUSED, "GET /handled/403", "ann"));
        });
    }

    @Test
    void refusalOfAPart_isRecordedWithItsReason_whateverTheStatus() {
        recorded().run(context -> {
            assertThat(status(context, GET, "/marked", "ann", "right horse")).isEqualTo(200);

            assertThat(events)
                    .extracting(AuditEvent::resource, AuditEvent::reason)
                    .containsExactly(tuple("GET /marked UPDATE", "Add role query_update."));
        });
    }

    @Test
    void statusThatIsPassedOn_isNotRecordedAgain() {
        recorded().run(context -> {
            assertThat(status(context, GET, "/passed/403", "ann", "right horse"))
                    .isEqualTo(403);

            assertThat(events).isEmpty();
        });
    }

    @Test
    void handlerThatNeedsALogin_asksForOne() {
        recorded().run(context -> {
            assertThat(challenge(context, "/handled/401")).isEqualTo("Basic realm=\"Millrace\"");
            assertThat(challenge(context, "/passed/401")).isNull();
        });
    }

    private static @Nullable String challenge(ApplicationContext context, String path) {
        return WebTestClient.bindToApplicationContext(context)
                .build()
                .get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isUnauthorized()
                .returnResult(Void.class)
                .getResponseHeaders()
                .getFirst("WWW-Authenticate");
    }

    @Test
    void clientOfTheServiceThatPassesARequestOn_isTheOneThatIsRecorded() {
        ClusterIdentity identity =
                new ClusterIdentity(Optional.of(ClusterSecret.random()), "ui-gateway", Clock.systemUTC());
        Subject ann = Subject.user("ann", Subject.Domain.LOCAL, Role.parseAll("data_reader[orders]"));
        recorded(identity).run(context -> {
            for (Map<String, String> proof : List.of(identity.headersFor(ann), Map.<String, String>of())) {
                WebTestClient.bindToApplicationContext(context)
                        .build()
                        .get()
                        .uri("/handled/403")
                        .headers(headers -> proof.forEach(headers::set))
                        .header("X-Forwarded-For", "192.0.2.7, 198.51.100.9")
                        .exchange()
                        .expectStatus()
                        .isForbidden();
            }

            assertThat(events)
                    .extracting(
                            event -> event.actor().name(),
                            event -> event.actor().method(),
                            event -> event.actor().address().contains("198.51.100.9"))
                    .containsExactly(tuple("ann", "identity", true), tuple("anonymous", "none", false));
        });
    }

    @Test
    void loginForASession_thatFails_isRecordedWithTheNameThatItClaimed() {
        recorded().run(context -> {
            WebTestClient.bindToApplicationContext(context)
                    .build()
                    .post()
                    .uri("/api/v1/session")
                    .exchange()
                    .expectStatus()
                    .isUnauthorized();

            assertThat(events)
                    .extracting(
                            event -> event.kind().name(),
                            event -> event.actor().name(),
                            event -> event.actor().method())
                    .containsExactly(tuple("login.failure", "ann", "session"));
            assertThat(events.toString()).doesNotContain("wrong-pw");
        });
    }

    @Test
    void actThatCannotBeRecorded_isRefused() {
        runner().withBean(
                        Audit.class,
                        () -> event -> CompletableFuture.failedFuture(new IllegalStateException("the disk is full")))
                .run(context -> {
                    assertThat(status(context, DELETE, "/api/v1/functions/f", "root", "battery staple"))
                            .isEqualTo(503);
                    assertThat(deleted).hasValue(0);
                    assertThat(status(context, GET, "/api/v1/functions/f", "root", "battery staple"))
                            .isEqualTo(200);
                    assertThat(status(context, GET, "/api/v1/functions/f", "ann", "wrong-pw"))
                            .isEqualTo(401);
                });
    }

    @Test
    void trail_isAFileThatVerifies() throws Exception {
        runner().withPropertyValues("MILLRACE_AUDIT_DIR=" + directory, "server.port=8096")
                .run(context -> assertThat(status(context, DELETE, "/api/v1/functions/f", "root", "battery staple"))
                        .isEqualTo(200));

        Path file = directory.resolve("audit-test-service-8096.jsonl");
        assertThat(Files.readString(file)).contains("\"name\":\"function.delete\"");
        assertThat(Verification.of(file)).returns(1L, Verification::lines).returns(null, Verification::defect);
    }
}
