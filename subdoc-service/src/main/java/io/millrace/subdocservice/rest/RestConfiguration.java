package io.millrace.subdocservice.rest;

import io.millrace.accessspring.Subjects;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.ReadRoom;
import io.millrace.documents.spring.RedisAccess;
import io.millrace.httpdoor.ByteBudget;
import io.millrace.problemdetails.Problem;
import io.millrace.problemdetails.ProblemHandler;
import io.millrace.redis.RedisTls;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.moves.BucketMoves;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.millrace.subdocservice.traces.WriteTraces;
import io.millrace.traces.SpanSink;
import io.millrace.traces.TraceSampler;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;

@Configuration(proxyBeanMethods = false)
class RestConfiguration {

    /** The actuator has -100. */
    private static final int ROUTES_ORDER = -200;

    @Bean
    @ConditionalOnMissingBean
    InstantSource clock() {
        return InstantSource.system();
    }

    /** Large documents are read while there is room for them in the budget of all doors. */
    @Bean
    ReadRoom readRoom(ByteBudget budget) {
        return new ReadRoom() {
            @Override
            public boolean has(long bytes) {
                return budget.has(bytes);
            }

            @Override
            public CompletableFuture<Boolean> reserve(long bytes) {
                return budget.reserve(bytes, bytes);
            }

            @Override
            public void hold(long bytes) {
                budget.hold(bytes);
            }

            @Override
            public void give(long bytes) {
                budget.give(bytes);
            }
        };
    }

    @Bean
    Requester requester() {
        return Subjects::of;
    }

    @Bean
    WriteTraces writeTraces(TraceSampler sampler, SpanSink sink) {
        return new WriteTraces(sampler, sink);
    }

    /** Shared by HTTP and the binary protocol: writers of one document in one process wait for each other. */
    @Bean
    SubDocumentExecutor subDocumentExecutor(DocumentStore store, InstantSource clock) {
        return new SubDocumentExecutor(store, clock);
    }

    @Bean
    BucketMoves moves(DocumentStore store, RedisAccess redis, RedisTls tls, InstantSource clock) {
        return new BucketMoves(store, redis::commands, tls, clock);
    }

    @Bean
    Routes routes(
            DocumentStore store,
            InstantSource clock,
            SubDocumentExecutor executor,
            BucketMoves moves,
            Requester requester,
            WriteTraces traces) {
        return new Routes(store, clock, executor, moves, requester, new HttpTraces(traces, requester));
    }

    @Bean
    @Order(1) // before the routes of other protocols, which documents would be compared with
    RouterFunction<ServerResponse> router(Routes routes) {
        return routes.router();
    }

    /**
     * Puts the routes before the endpoints of the actuator. Spring compares each request with the media types of all of these
     * before it looks at their paths.
     */
    @Bean
    static BeanPostProcessor routesFirst() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof RouterFunctionMapping routes) {
                    routes.setOrder(ROUTES_ORDER);
                }
                return bean;
            }
        };
    }

    /** For paths that no endpoint has; the routers respond to the failures of their own endpoints. */
    @Bean
    @Order(-2) // before the handler of Spring Boot
    ProblemHandler problemHandler() {
        return new ProblemHandler() {
            @Override
            protected @Nullable Problem problem(Throwable failure) {
                return null;
            }
        };
    }

    @Bean
    RouterFunction<ServerResponse> openApiDocument() {
        return OpenApiDocument.router();
    }
}
