package io.millrace.subdocservice.query;

import io.millrace.documents.DocumentStore;
import io.millrace.documents.ReadRoom;
import io.millrace.n1ql.Admission;
import io.millrace.n1ql.CompletedRequest;
import io.millrace.n1ql.QueryEngine;
import io.millrace.n1ql.SlowRequests;
import io.millrace.n1ql.keyspace.ServiceCatalog;
import io.millrace.n1qldocuments.DocumentCache;
import io.millrace.n1qldocuments.DocumentKeyspaces;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.sandbox.SharedEngine;
import io.millrace.subdocservice.traces.WriteTraces;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@Configuration(proxyBeanMethods = false)
class QueryConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(QueryConfiguration.class);

    /** Buckets whose names start with this belong to Millrace itself. */
    private static final String SYSTEM_PREFIX = "_";

    /** Follows the changes of statements. */
    @Bean
    FollowedWork queryWork(WriteTraces traces, Requester requester) {
        return new FollowedWork(new HttpTraces(traces, requester, "query"));
    }

    @Bean
    JavaScriptFunctions statementFunctions(SharedEngine engine) {
        return new JavaScriptFunctions(engine, QueryLimits.FUNCTION_TIMEOUT);
    }

    @Bean
    QueryEngine queryEngine(
            DocumentStore store,
            FollowedWork queryWork,
            ReadRoom room,
            InstantSource clock,
            JavaScriptFunctions functions,
            ServiceCatalog catalog,
            @Value("${millrace.query.slow-millis:1000}") long slowMillis) {
        SlowRequests slow =
                new SlowRequests(Duration.ofMillis(slowMillis), SlowRequests.DEFAULT.most(), QueryConfiguration::log);
        return new QueryEngine(
                new DocumentKeyspaces(
                        queryWork.followed(store),
                        bucket -> !bucket.startsWith(SYSTEM_PREFIX),
                        () -> null,
                        room,
                        DocumentCache.ofHeap(clock)),
                clock,
                new HeapWatch(),
                slow,
                new Admission(
                        Math.max(1, Runtime.getRuntime().availableProcessors() - 1),
                        QueryLimits.SHORT_STATEMENT,
                        QueryLimits.TURN_OF_LONG_STATEMENT),
                functions,
                catalog);
    }

    private static void log(CompletedRequest request) {
        String statement = request.statement();
        LOG.warn(
                "event=statement_slow request={} elapsed_ms={} rows={} state={} user={} statement=\"{}\"",
                request.id(),
                request.elapsed().toMillis(),
                request.rows(),
                request.state(),
                request.user(),
                statement.substring(0, Math.min(statement.length(), QueryLimits.LOGGED_CHARACTERS)));
    }

    /** Statements block while they wait for the store, so they have threads of their own. */
    @Bean(destroyMethod = "dispose")
    Scheduler queryScheduler() {
        return Schedulers.newBoundedElastic(QueryLimits.MAX_RUNNING, QueryLimits.MAX_WAITING, "query");
    }

    @Bean
    @Order(2) // before the many routes of management, which each statement would be compared with
    RouterFunction<ServerResponse> queryRouter(
            QueryEngine engine, Requester requester, Scheduler queryScheduler, FollowedWork queryWork) {
        return new QueryRoutes(engine, requester, queryScheduler, queryWork).router();
    }

    /** Warms the parser up, so that the first statement is not slow. */
    @Bean
    ApplicationListener<ApplicationReadyEvent> queryWarmUp(QueryEngine engine, Scheduler queryScheduler) {
        return ready -> queryScheduler.schedule(engine::warmUp);
    }
}
