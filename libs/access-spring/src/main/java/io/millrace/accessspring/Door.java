package io.millrace.accessspring;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * A route and what it needs.
 *
 * @param method the method, or null for all methods that no other door of the same path is for
 */
public record Door(@Nullable HttpMethod method, PathPattern pattern, Need need) {

    static final String METRICS = "/actuator/prometheus";

    static Door of(@Nullable HttpMethod method, String pattern, Need need) {
        return new Door(method, PathPatternParser.defaultInstance.parse(pattern), need);
    }

    /** Returns whether this door leads to the metrics of a process, which Prometheus reads. */
    boolean isOfMetrics() {
        return pattern.getPatternString().equals(METRICS);
    }

    /** Returns whether this door is for the method; doors for GET are for HEAD as well. */
    boolean isFor(HttpMethod asked) {
        return method == null
                || method.equals(asked)
                || (method.equals(HttpMethod.GET) && asked.equals(HttpMethod.HEAD));
    }

    @Override
    public String toString() {
        return (method == null ? "ANY" : method) + " " + pattern.getPatternString();
    }
}
