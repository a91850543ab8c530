package io.millrace.accessspring;

import io.millrace.access.Permission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * All routes of a service with what they need: the one list that the gate reads. A route that is not in it is closed to
 * everyone but administrators. Of several patterns that match a path, the most specific one counts, as in Spring.
 */
public final class Doors {

    /** A door and the variables that name what a request is about: those of the path, or of the query. */
    record Found(Door door, Map<String, String> variables) {}

    private final List<Door> all;
    private final Map<String, List<Door>> bySegment = new HashMap<>();
    private final List<Door> anywhere = new ArrayList<>();
    private final List<PathPattern> feeds;

    private Doors(List<Door> doors, List<PathPattern> feeds) {
        all = List.copyOf(doors);
        this.feeds = List.copyOf(feeds);
        List<Door> ordered = new ArrayList<>(doors);
        ordered.sort(Comparator.comparing(Door::pattern, PathPattern.SPECIFICITY_COMPARATOR)
                .thenComparing(door -> door.method() == null));
        for (Door door : ordered) {
            String first = firstSegment(PathContainer.parsePath(door.pattern().getPatternString()));
            if (first.contains("{") || first.contains("*") || first.contains("?")) {
                anywhere.add(door);
            } else {
                bySegment.computeIfAbsent(first, name -> new ArrayList<>()).add(door);
            }
        }
    }

    /** Starts a table. */
    public static Builder table() {
        return new Builder();
    }

    /** Returns every door, in the order of the table. */
    public List<Door> all() {
        return all;
    }

    /** Returns whether a response to a request with this path may stay open and wait for what happens next. */
    boolean isFeed(PathContainer path) {
        PathContainer plain = withoutEmptySegments(path);
        return feeds.stream().anyMatch(pattern -> pattern.matches(plain));
    }

    /** Returns a path as the CouchDB API reads it, which passes over empty segments. */
    public static PathContainer withoutEmptySegments(PathContainer path) {
        return path.value().contains("//")
                ? PathContainer.parsePath(path.value().replaceAll("/{2,}", "/"))
                : path;
    }

    Optional<Found> find(HttpMethod method, PathContainer path) {
        Found found = find(bySegment.getOrDefault(firstSegment(path), List.of()), method, path);
        return Optional.ofNullable(found != null ? found : find(anywhere, method, path));
    }

    private static @Nullable Found find(List<Door> doors, HttpMethod method, PathContainer path) {
        for (Door door : doors) {
            if (door.isFor(method)) {
                PathPattern.PathMatchInfo match = door.pattern().matchAndExtract(path);
                if (match != null) {
                    return new Found(door, match.getUriVariables());
                }
            }
        }
        return null;
    }

    /** Returns the first segment as routes read it, decoded and without parameters, or nothing. */
    private static String firstSegment(PathContainer path) {
        for (PathContainer.Element element : path.elements()) {
            if (element instanceof PathContainer.PathSegment segment) {
                return segment.valueToMatch();
            }
        }
        return "";
    }

    /** Collects doors. A pattern and method that is declared twice is an error. */
    public static final class Builder {

        private final Map<String, Door> doors = new LinkedHashMap<>();
        private final List<PathPattern> feeds = new ArrayList<>();

        private Builder() {}

        /** Declares GET routes that are open to everyone. */
        public Builder open(String... patterns) {
            return each(HttpMethod.GET, new Need.Nothing(), patterns);
        }

        /** Declares what every service has: health, metrics and the description of its API. */
        public Builder usual() {
            return open(
                            "/actuator/health/liveness",
                            "/actuator/health/readiness",
                            "/swagger-ui.html",
                            "/swagger-ui/**",
                            "/webjars/**")
                    .cluster(
                            Permission.STATS_READ,
                            HttpMethod.GET,
                            "/actuator",
                            "/actuator/health",
                            "/actuator/health/{*path}",
                            "/actuator/info",
                            "/actuator/metrics",
                            "/actuator/metrics/{requiredMetricName}",
                            Door.METRICS)
                    .known(HttpMethod.GET, "/v3/api-docs", "/v3/api-docs.yaml", "/v3/api-docs/swagger-config");
        }

        /** Declares routes for administrators of the cluster; for all methods. */
        public Builder administrators(Collection<String> patterns) {
            return each(
                    null,
                    new Need.Granted(Permission.CLUSTER_MANAGE, Need.Place.CLUSTER),
                    patterns.toArray(String[]::new));
        }

        /** Declares routes whose handler decides, or the service to which they are passed on; for all methods. */
        public Builder delegated(Collection<String> patterns) {
            return each(null, new Need.Delegated(), patterns.toArray(String[]::new));
        }

        /** Declares routes whose handler decides. */
        public Builder delegated(HttpMethod method, String... patterns) {
            return each(method, new Need.Delegated(), patterns);
        }

        /** Declares routes for every known subject. */
        public Builder known(HttpMethod method, String... patterns) {
            return each(method, new Need.Known(), patterns);
        }

        /** Declares routes that need a permission on the cluster. */
        public Builder cluster(Permission permission, HttpMethod method, String... patterns) {
            return each(method, new Need.Granted(permission, Need.Place.CLUSTER), patterns);
        }

        /** Declares routes that need a permission on what their path names. */
        public Builder on(Need.Place place, Permission permission, HttpMethod method, String... patterns) {
            return each(method, new Need.Granted(permission, place), patterns);
        }

        /** Says which paths are those of feeds: a response to them ends when the access that it began with does not hold any more. */
        public Builder feeds(String... patterns) {
            for (String pattern : patterns) {
                feeds.add(PathPatternParser.defaultInstance.parse(pattern));
            }
            return this;
        }

        private Builder each(@Nullable HttpMethod method, Need need, String... patterns) {
            for (String pattern : patterns) {
                Door door = Door.of(method, pattern, need);
                if (doors.put(door.toString(), door) != null) {
                    throw new IllegalArgumentException("The route is declared twice: " + door);
                }
            }
            return this;
        }

        /** Returns the table. */
        public Doors build() {
            return new Doors(List.copyOf(doors.values()), feeds);
        }
    }
}
