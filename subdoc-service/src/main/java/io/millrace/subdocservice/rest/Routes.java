package io.millrace.subdocservice.rest;

import static org.springframework.web.reactive.function.server.RequestPredicates.method;
import static org.springframework.web.reactive.function.server.RequestPredicates.methods;
import static org.springframework.web.reactive.function.server.RequestPredicates.path;

import io.millrace.documents.DocumentStore;
import io.millrace.subdocservice.moves.Moves;
import io.millrace.subdocservice.subdocuments.SubDocumentExecutor;
import io.swagger.v3.oas.models.Operation;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Everything that this service offers, and from that one table the router and the OpenAPI description. */
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

    Routes(DocumentStore store, InstantSource clock, SubDocumentExecutor executor, Moves moving) {
        DocumentHandlers documents = new DocumentHandlers(store, clock);
        SubDocumentHandlers parts = new SubDocumentHandlers(executor, clock);
        XattrHandlers xattrs = new XattrHandlers(store);
        BucketHandlers buckets = new BucketHandlers(store);
        BulkHandlers bulk = new BulkHandlers(store, buckets, clock);
        // the hot path first: routes are tried in this order
        for (String keyspace : List.of(BUCKET, COLLECTION)) {
            String document = keyspace + "/docs/{id}";
            boolean full = keyspace.equals(COLLECTION);
            add(HttpMethod.GET, document, documents::get, DocumentDescriptions.get(full));
            add(HttpMethod.PUT, document, documents::put, DocumentDescriptions.put(full));
            add(HttpMethod.POST, document, documents::post, DocumentDescriptions.post(full));
            add(HttpMethod.DELETE, document, documents::delete, DocumentDescriptions.delete(full));
            add(HttpMethod.POST, document + "/lookup-in", parts::lookUp, SubDocumentDescriptions.lookUp(full));
            add(HttpMethod.POST, document + "/mutate-in", parts::mutate, SubDocumentDescriptions.mutate(full));
            add(HttpMethod.POST, document + "/touch", documents::touch, DocumentDescriptions.touch(full));
            add(HttpMethod.GET, document + "/xattrs", xattrs::get, DocumentDescriptions.getXattrs(full));
            add(HttpMethod.PUT, document + "/xattrs", xattrs::put, DocumentDescriptions.putXattrs(full));
            add(HttpMethod.DELETE, document + "/xattrs", xattrs::delete, DocumentDescriptions.deleteXattrs(full));
            add(HttpMethod.POST, keyspace + "/bulk", bulk::load, DocumentDescriptions.bulk(full));
        }
        add(HttpMethod.GET, BUCKETS, buckets::list, BucketDescriptions.list());
        add(HttpMethod.GET, BUCKET, buckets::get, BucketDescriptions.get());
        add(HttpMethod.PUT, BUCKET, buckets::put, BucketDescriptions.put());
        add(HttpMethod.DELETE, BUCKET, buckets::delete, BucketDescriptions.delete());
        add(HttpMethod.GET, SCOPES, buckets::listScopes, BucketDescriptions.listScopes());
        add(HttpMethod.GET, SCOPE, buckets::getScope, BucketDescriptions.getScope());
        add(HttpMethod.PUT, SCOPE, buckets::putScope, BucketDescriptions.putScope());
        add(HttpMethod.DELETE, SCOPE, buckets::deleteScope, BucketDescriptions.deleteScope());
        add(HttpMethod.GET, COLLECTIONS, buckets::listCollections, BucketDescriptions.listCollections());
        add(HttpMethod.GET, COLLECTION, buckets::getCollection, BucketDescriptions.getCollection());
        add(HttpMethod.PUT, COLLECTION, buckets::putCollection, BucketDescriptions.putCollection());
        add(HttpMethod.DELETE, COLLECTION, buckets::deleteCollection, BucketDescriptions.deleteCollection());
        MoveHandlers moves = new MoveHandlers(moving);
        add(HttpMethod.POST, MOVE, moves::begin, MoveDescriptions.begin());
        add(HttpMethod.GET, MOVE, moves::state, MoveDescriptions.state());
        add(HttpMethod.DELETE, MOVE, moves::end, MoveDescriptions.end());
    }

    private void add(HttpMethod method, String pattern, HandlerFunction<ServerResponse> handler, Operation operation) {
        all.add(new Route(method, pattern, handler, operation));
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
        return router.filter(Refusals::guard).build();
    }

    private static RequestPredicate predicate(HttpMethod method) {
        return method == HttpMethod.GET ? methods(HttpMethod.GET, HttpMethod.HEAD) : method(method);
    }

    private static Mono<ServerResponse> notAllowed(Set<String> methods) {
        String allow = String.join(", ", methods);
        ApiError error = ApiError.METHOD_NOT_ALLOWED;
        return ServerResponse.status(error.status())
                .header(HttpHeaders.ALLOW, allow)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(new Refusals.ErrorBody(
                        error.code(),
                        "This path takes %s.".formatted(allow),
                        error.status().value(),
                        null,
                        null));
    }

    private static Mono<ServerResponse> notFound() {
        return Refusals.answer(
                ApiError.NOT_FOUND,
                "There is nothing at this path; /v3/api-docs lists what there is. A slash in a document id is sent as %2F.");
    }
}
