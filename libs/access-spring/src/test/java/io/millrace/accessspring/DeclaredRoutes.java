package io.millrace.accessspring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.reactive.handler.AbstractUrlHandlerMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Finds every route that Spring knows in a service: annotated methods, router functions, endpoints of the actuator, static
 * resources. For tests that compare them with the {@link Doors} of the service.
 */
public final class DeclaredRoutes {

    private DeclaredRoutes() {}

    /** Returns the routes that have no door, as {@code METHOD pattern}; empty if the table is complete. */
    public static Set<String> withoutDoor(ApplicationContext context) {
        List<Door> doors = context.getBean(Doors.class).all();
        Set<String> missing = new TreeSet<>(of(context));
        doors.forEach(door -> missing.remove(door.toString()));
        // pages of libraries, whose paths contain versions
        missing.removeIf(route -> doors.stream()
                .filter(door -> door.need() instanceof Need.Nothing)
                .filter(door -> door.toString().endsWith("/**"))
                .anyMatch(door -> matches(door, route)));
        missing.remove(EVERYTHING);
        return missing;
    }

    /** Returns the doors to which no route leads, as {@code METHOD pattern}: leftovers. Files are not routes. */
    public static Set<String> withoutRoute(ApplicationContext context) {
        Set<String> routes = of(context);
        routes.remove(EVERYTHING);
        Set<String> leftovers = new TreeSet<>();
        for (Door door : context.getBean(Doors.class).all()) {
            boolean file = door.need() instanceof Need.Nothing;
            if (!file && routes.stream().noneMatch(route -> matches(route, door))) {
                leftovers.add(door.toString());
            }
        }
        return leftovers;
    }

    private static boolean matches(Door door, String route) {
        return route.startsWith("GET ") && matches(door.toString(), route.substring(4), "GET ");
    }

    private static boolean matches(String route, Door door) {
        return route.equals(door.toString()) || matches(route, door.pattern().getPatternString(), door.method() + " ");
    }

    private static boolean matches(String pattern, String path, String method) {
        return pattern.startsWith(method)
                && PathPatternParser.defaultInstance
                        .parse(pattern.substring(method.length()))
                        .matches(PathContainer.parsePath(path));
    }

    /** Returns every route as {@code METHOD pattern}. {@code ANY} stands for a route that takes all methods. */
    public static Set<String> of(ApplicationContext context) {
        Set<String> routes = new TreeSet<>();
        for (HandlerMapping mapping : BeanFactoryUtils.beansOfTypeIncludingAncestors(
                        context, HandlerMapping.class, true, false)
                .values()) {
            switch (mapping) {
                case RequestMappingInfoHandlerMapping annotated ->
                    annotated.getHandlerMethods().keySet().forEach(info -> add(routes, info));
                case RouterFunctionMapping functions -> {
                    RouterFunction<?> all = functions.getRouterFunction();
                    if (all != null) {
                        all.accept(new Routers(routes));
                    }
                }
                case AbstractUrlHandlerMapping urls ->
                    urls.getHandlerMap().keySet().forEach(pattern -> routes.add("GET " + pattern));
                default -> {
                    // Spring's mapping without routes
                    if (!mapping.getClass().getSimpleName().equals("EmptyHandlerMapping")) {
                        throw new AssertionError("Routes of an unknown kind: " + mapping);
                    }
                }
            }
        }
        return routes;
    }

    /** The files of a service; without a door they are closed, and those that are open are declared one by one. */
    private static final String EVERYTHING = "GET /**";

    private static final List<String> ANY = List.of("ANY");

    private static void add(Set<String> routes, RequestMappingInfo info) {
        Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
        List<String> names = methods.isEmpty()
                ? ANY
                : methods.stream().map(RequestMethod::name).toList();
        info.getPatternsCondition()
                .getPatterns()
                .forEach(pattern -> names.forEach(name -> routes.add(name + " " + pattern.getPatternString())));
    }

    /** Walks through nested router functions. */
    private static final class Routers implements RouterFunctions.Visitor {

        private final Set<String> routes;
        private final Deque<List<Path>> prefixes = new ArrayDeque<>(List.of(List.of(new Path(Set.of(), ""))));

        Routers(Set<String> routes) {
            this.routes = routes;
        }

        @Override
        public void startNested(RequestPredicate predicate) {
            prefixes.push(joined(predicate));
        }

        @Override
        public void endNested(RequestPredicate predicate) {
            prefixes.pop();
        }

        @Override
        public void route(RequestPredicate predicate, HandlerFunction<?> handler) {
            for (Path path : joined(predicate)) {
                Collection<String> methods = path.methods().isEmpty() ? ANY : path.methods();
                methods.forEach(method -> routes.add(method + " " + path.pattern()));
            }
        }

        private List<Path> joined(RequestPredicate predicate) {
            List<Path> all = new ArrayList<>();
            for (Path prefix : prefixes.getFirst()) {
                for (Path path : Predicates.of(predicate)) {
                    all.add(new Path(
                            path.methods().isEmpty() ? prefix.methods() : path.methods(),
                            prefix.pattern() + path.pattern()));
                }
            }
            return all;
        }

        @Override
        public void resources(Function<ServerRequest, Mono<Resource>> lookup) {
            routes.add("GET resources");
        }

        @Override
        public void attributes(Map<String, Object> attributes) {}

        @Override
        public void unknown(RouterFunction<?> unknown) {
            throw new AssertionError("A router function of an unknown kind: " + unknown);
        }
    }

    private record Path(Set<String> methods, String pattern) {}

    /** Reads methods and patterns from a predicate; several patterns are joined by {@code or}. */
    private static final class Predicates implements RequestPredicates.Visitor {

        private final Deque<List<Path>> open = new ArrayDeque<>();
        private List<Path> last = List.of(new Path(Set.of(), ""));

        static List<Path> of(RequestPredicate predicate) {
            Predicates visitor = new Predicates();
            predicate.accept(visitor);
            return visitor.last;
        }

        @Override
        public void method(Set<HttpMethod> methods) {
            Set<String> names = new TreeSet<>();
            methods.stream()
                    .map(HttpMethod::name)
                    .filter(name -> !name.equals("HEAD"))
                    .forEach(names::add);
            last = List.of(new Path(names, ""));
        }

        @Override
        public void path(String pattern) {
            last = List.of(new Path(Set.of(), pattern));
        }

        @Override
        public void startAnd() {}

        @Override
        public void and() {
            open.push(last);
            last = List.of(new Path(Set.of(), ""));
        }

        @Override
        public void endAnd() {
            List<Path> all = new ArrayList<>();
            for (Path left : open.pop()) {
                for (Path right : last) {
                    all.add(new Path(
                            left.methods().isEmpty() ? right.methods() : left.methods(),
                            left.pattern() + right.pattern()));
                }
            }
            last = all;
        }

        @Override
        public void startOr() {}

        @Override
        public void or() {
            open.push(last);
            last = List.of(new Path(Set.of(), ""));
        }

        @Override
        public void endOr() {
            List<Path> all = new ArrayList<>(open.pop());
            all.addAll(last);
            last = all;
        }

        @Override
        public void startNegate() {}

        @Override
        public void endNegate() {
            last = List.of(new Path(Set.of(), ""));
        }

        @Override
        public void header(String name, String value) {}

        @Override
        public void queryParam(String name, String value) {}

        @Override
        @SuppressWarnings("removal")
        public void pathExtension(String extension) {}

        @Override
        public void version(String version) {}

        @Override
        public void unknown(RequestPredicate predicate) {}
    }
}
