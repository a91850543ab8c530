package io.millrace.subdocservice.couch;

import static org.springframework.web.reactive.function.server.RequestPredicates.path;

import io.millrace.accessspring.CouchSessions;
import io.millrace.accessspring.Sessions;
import io.millrace.couch.CouchServer;
import io.millrace.couch.FilterFunctions;
import io.millrace.documents.DocumentStore;
import io.millrace.documents.ReadRoom;
import io.millrace.subdocservice.http.FollowedWork;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.sandbox.SharedEngine;
import io.millrace.subdocservice.traces.WriteTraces;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
class CouchConfiguration {

    @Bean
    SharedEngine sharedEngine() {
        return new SharedEngine();
    }

    @Bean
    FilterFunctions filterFunctions(SharedEngine engine) {
        return new SandboxedFunctions(engine);
    }

    /** Follows the changes of CouchDB's clients. */
    @Bean
    FollowedWork couchWork(WriteTraces traces, Requester requester) {
        return new FollowedWork(new HttpTraces(traces, requester, "couch"));
    }

    @Bean
    CouchServer couchServer(DocumentStore store, FollowedWork couchWork, FilterFunctions functions, ReadRoom room) {
        return new CouchServer(couchWork.followed(store), functions, room);
    }

    @Bean
    RouterFunction<ServerResponse> couchRouter(CouchServer server, Requester requester, FollowedWork couchWork) {
        return router(server, requester, couchWork);
    }

    @Bean
    @Order(0) // before the API, which only says who asks
    RouterFunction<ServerResponse> couchSessions(Sessions sessions) {
        return CouchSessions.routes(sessions);
    }

    static RouterFunction<ServerResponse> router(CouchServer server, Requester requester, FollowedWork work) {
        CouchHandlers handlers = new CouchHandlers(server, requester, work);
        return RouterFunctions.route()
                .route(path(CouchHandlers.ROOT).or(path(CouchHandlers.ROOT + "/**")), handlers::handle)
                .build();
    }
}
