package io.millrace.subdocservice.query;

import io.millrace.documents.DocumentStore;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.subdocservice.http.Requester;
import java.time.InstantSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@Configuration(proxyBeanMethods = false)
class QueryConfiguration {

    /** Buckets whose names start with this belong to Millrace itself. */
    private static final String SYSTEM_PREFIX = "_";

    @Bean
    QueryEngine queryEngine(DocumentStore store, InstantSource clock) {
        return new QueryEngine(
                new DocumentKeyspaces(store, bucket -> !bucket.startsWith(SYSTEM_PREFIX), () -> null),
                clock,
                new HeapWatch());
    }

    /** Statements block while they wait for the store, so they have threads of their own. */
    @Bean(destroyMethod = "dispose")
    Scheduler queryScheduler() {
        return Schedulers.newBoundedElastic(QueryLimits.MAX_RUNNING, QueryLimits.MAX_WAITING, "query");
    }

    @Bean
    RouterFunction<ServerResponse> queryRouter(QueryEngine engine, Requester requester, Scheduler queryScheduler) {
        return new QueryRoutes(engine, requester, queryScheduler).router();
    }

    /** Warms the parser up, so that the first statement is not slow. */
    @Bean
    ApplicationListener<ApplicationReadyEvent> queryWarmUp(QueryEngine engine, Scheduler queryScheduler) {
        return ready -> queryScheduler.schedule(engine::warmUp);
    }
}
