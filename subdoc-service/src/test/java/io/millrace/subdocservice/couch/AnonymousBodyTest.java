package io.millrace.subdocservice.couch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Subject;
import io.millrace.couch.CouchServer;
import io.millrace.documents.memory.MemoryDocumentStore;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.sandbox.SharedEngine;
import io.millrace.subdocservice.traces.WriteTraces;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Flux;

/** A body of a client without an account is not read: the memory that it takes is missing for the others. */
class AnonymousBodyTest {

    @ParameterizedTest
    @ValueSource(strings = {"/couch/db", "/couch/db/_bulk_docs", "/couch/_replicate"})
    void aRequestWithoutALogin_isRefusedBeforeItsBodyIsRead(String path) {
        FollowedWork work = new FollowedWork(new HttpTraces(WriteTraces.NONE, asker -> Subject.anonymous(), "couch"));
        MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.post(path)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Flux.error(new AssertionError("The body is read"))));
        ServerRequest request =
                ServerRequest.create(exchange, HandlerStrategies.withDefaults().messageReaders());

        try (SharedEngine engine = new SharedEngine();
                SandboxedFunctions functions = new SandboxedFunctions(engine);
                CouchServer couch =
                        new CouchServer(work.followed(new MemoryDocumentStore(InstantSource.system())), functions)) {
            var response = new CouchHandlers(couch, asker -> Subject.anonymous(), work)
                    .handle(request)
                    .block();

            assertThat(Objects.requireNonNull(response).statusCode().value()).isEqualTo(401);
        }
    }
}
