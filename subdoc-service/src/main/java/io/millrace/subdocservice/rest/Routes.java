package io.millrace.subdocservice.rest;

import static org.springframework.web.reactive.function.server.RequestPredicates.method;
import static org.springframework.web.reactive.function.server.RequestPredicates.methods;
import static org.springframework.web.reactive.function.server.RequestPredicates.path;

import io.millrace.documents.DocumentStore;
import io.millrace.subdocservice.http.HttpTraces;
import io.millrace.subdocservice.http.Requester;
import io.millrace.subdocservice.moves.BucketMoves;
import io.millrace.subdocservice.rest.bulk.BulkHandlers;
import io.millrace.subdocservice.rest.error.ApiError;
import io.millrace.subdocservice.rest.error.ErrorResponses;
import io.millrace.subdocservice.rest.live.LiveQueries;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The table of all endpoints below {@code /api/v1}; router, 405 responses and the test of the OpenAPI document use it. */
final class Routes {

    private static final String API = "/api/v1";
    private static final String BUCKETS = API + "/buckets";
    private static final String MOVE = API + "/move";
    private static final String BUCKET = BUCKETS + "/{bucket}";
    private static final String SCOPES = BUCKET + "/scopes";
    private static final String SCOPE = SCOPES + "/{scope}";
    private static final String COLLECTIONS = SCOPE + "/collections";
    private static final String COLLECTION = COLLECTIONS + "/{collection}";

    private final List<Route> all = new ArrayList<>();

    Routes(
            DocumentStore store,
            InstantSource clock,
            SubDocumentExecutor executor,
            BucketMoves moving,
            Requester requester,
            HttpTraces traces) {
        DocumentHandlers documents = new DocumentHandlers(store, clock, traces);
        SubDocumentHandlers parts = new SubDocumentHandlers(executor, clock, traces);
        XattrHandlers xattrs = new XattrHandlers(store, traces);
        BucketHandlers buckets = new BucketHandlers(store, requester);
        BulkHandlers bulk = new BulkHandlers(store, buckets::existing, clock, traces);
        LiveQueries live = new LiveQueries(store, requester);
        // the most frequent requests first: routes are tried in this order
        for (String keyspace : List.of(BUCKET, COLLECTION)) {
            String document = keyspace + "/docs/{id}";
            add(HttpMethod.GET, document, documents::get);
            add(HttpMethod.PUT, document, documents::put);
            add(HttpMethod.POST, document, documents::post);
            add(HttpMethod.DELETE, document, documents::delete);
            add(HttpMethod.POST, document + "/lookup-in", parts::lookUp);
            add(HttpMethod.POST, document + "/mutate-in", parts::mutate);
            add(HttpMethod.POST, document + "/touch", documents::touch);
            add(HttpMethod.GET, document + "/xattrs", xattrs::get);
            add(HttpMethod.PUT, document + "/xattrs", xattrs::put);
            add(HttpMethod.DELETE, document + "/xattrs", xattrs::delete);
            add(HttpMethod.POST, keyspace + "/bulk", bulk::load);
            add(HttpMethod.GET, keyspace + "/live", live::follow);
        }
        add(HttpMethod.GET, BUCKETS, buckets::list);
        add(HttpMethod.GET, BUCKET, buckets::get);
        add(HttpMethod.PUT, BUCKET, buckets::put);
        add(HttpMethod.DELETE, BUCKET, buckets::delete);
        add(HttpMethod.GET, SCOPES, buckets::listScopes);
        add(HttpMethod.GET, SCOPE, buckets::getScope);
        add(HttpMethod.PUT, SCOPE, buckets::putScope);
        add(HttpMethod.DELETE, SCOPE, buckets::deleteScope);
        add(HttpMethod.GET, COLLECTIONS, buckets::listCollections);
        add(HttpMethod.GET, COLLECTION, buckets::getCollection);
        add(HttpMethod.PUT, COLLECTION, buckets::putCollection);
        add(HttpMethod.DELETE, COLLECTION, buckets::deleteCollection);
        MoveHandlers moves = new MoveHandlers(moving);
        add(HttpMethod.POST, MOVE, moves::begin);
        add(HttpMethod.GET, MOVE, moves::state);
        add(HttpMethod.DELETE, MOVE, moves::end);
    }

    private void add(HttpMethod method, String pattern, HandlerFunction<ServerResponse> handler) {
        all.add(new Route(method, pattern, handler));
    }

    List<Route> all() {
        return List.copyOf(all);
    }

    /** Returns the router: the routes, then 405 for their paths with another method, then 404 below {@code /api}. */
    RouterFunction<ServerResponse> router() {
        RouterFunctions.Builder router = RouterFunctions.route();
        Map<String, Set<String>> allowed = new TreeMap<>();
        for (Route route : all) {
            router.route(predicate(route.method()).and(path(route.pattern())), route.handler());
            Set<String> methods = allowed.computeIfAbsent(route.pattern(), pattern -> new TreeSet<>());
            methods.add(route.method().name());
            if (route.method() == HttpMethod.GET) {
                methods.add(HttpMethod.HEAD.name());
            }
        }
        allowed.forEach((pattern, methods) -> router.route(path(pattern), request -> notAllowed(methods)));
        router.route(path(API + "/**"), request -> notFound());
        RequestPredicate below = path(API + "/**");
        // one comparison for the requests of other protocols; only tested, because a nested path would be shortened
        return RouterFunctions.nest(
                below::test, router.filter(ErrorResponses::guard).build());
    }

    private static RequestPredicate predicate(HttpMethod method) {
        return method == HttpMethod.GET ? methods(HttpMethod.GET, HttpMethod.HEAD) : method(method);
    }

    private static Mono<ServerResponse> notAllowed(Set<String> methods) {
        String allow = String.join(", ", methods);
        return ApiError.METHOD_NOT_ALLOWED
                .problem("This path supports the methods %s.".formatted(allow))
                .toServerResponse(headers -> headers.set(HttpHeaders.ALLOW, allow));
    }

    private static Mono<ServerResponse> notFound() {
        return ErrorResponses.of(ApiError.NOT_FOUND, "No endpoint has this path.");
    }
}
