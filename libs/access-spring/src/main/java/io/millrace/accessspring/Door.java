package io.millrace.accessspring;

import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** A route and what it needs. */
public record Door(HttpMethod method, PathPattern pattern, Need need) {

    static Door of(HttpMethod method, String pattern, Need need) {
        return new Door(method, PathPatternParser.defaultInstance.parse(pattern), need);
    }

    /** Returns whether this door is for the method; doors for GET are for HEAD as well. */
    boolean isFor(HttpMethod asked) {
        return method.equals(asked) || (method.equals(HttpMethod.GET) && asked.equals(HttpMethod.HEAD));
    }

    @Override
    public String toString() {
        return method + " " + pattern.getPatternString();
    }
}
