package io.millrace.acceptance;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;

/** The tables of the gate, as this build compiled them: each route of a service with what it needs. */
final class ServiceDoors {

    /**
     * A route.
     *
     * @param method the method, or {@code ANY}
     * @param need what it needs, such as {@code Granted[permission=DATA_READ, place=KEYSPACE]}
     */
    record Route(String method, String pattern, String need) {

        @Override
        public String toString() {
            return method + " " + pattern;
        }
    }

    private ServiceDoors() {}

    /** Returns the routes of a service. */
    static List<Route> of(String service) {
        String table = switch (service) {
            case "eventing-service" -> "io.millrace.eventing.EventingDoors";
            case "subdoc-service" -> "io.millrace.subdocservice.SubdocDoors";
            case "metakv-service" -> "io.millrace.metakvservice.MetakvDoors";
            case "ui-gateway" -> "io.millrace.gateway.GatewayDoors";
            default -> throw new IllegalArgumentException(service);
        };
        try (URLClassLoader classes = classes()) {
            Constructor<?> constructor = classes.loadClass(table).getDeclaredConstructor();
            constructor.setAccessible(true);
            Object doors = BuiltClasses.call(constructor.newInstance(), "doors");
            List<Route> routes = new ArrayList<>();
            for (Object door : (List<?>) BuiltClasses.call(doors, "all")) {
                @Nullable Object method = BuiltClasses.callNullable(door, "method");
                routes.add(new Route(
                        method == null ? "ANY" : ((HttpMethod) method).name(),
                        ((PathPattern) BuiltClasses.call(door, "pattern")).getPatternString(),
                        BuiltClasses.call(door, "need").toString()));
            }
            return List.copyOf(routes);
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError("Cannot read the doors of " + service, e);
        }
    }

    /** Returns a list of paths of the gateway, such as {@code METAKV}: the roots of what it passes on to a service. */
    static List<String> forwarded(String constant) {
        try (URLClassLoader classes = classes()) {
            var field = classes.loadClass("io.millrace.gateway.proxy.ForwardedPaths")
                    .getDeclaredField(constant);
            field.setAccessible(true);
            return ((List<?>) Objects.requireNonNull(field.get(null)))
                    .stream().map(String::valueOf).toList();
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError("Cannot read the forwarded paths " + constant, e);
        }
    }

    /** Unlike {@link BuiltClasses}, the loader finds Spring, of whose types the tables are made. */
    private static URLClassLoader classes() {
        return new URLClassLoader(
                Repository.modules().stream().map(ServiceDoors::url).toArray(URL[]::new),
                ServiceDoors.class.getClassLoader());
    }

    private static URL url(Path module) {
        try {
            return module.resolve("target/classes").toUri().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(e);
        }
    }
}
