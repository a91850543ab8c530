package io.millrace.eventing.versions;

import io.millrace.documents.VBuckets;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.runtime.CanaryReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Canaries as JSON: in requests, in MetaKV and in answers. */
public final class CanaryJson {

    private static final Pattern SHARE = Pattern.compile("1/([1-9][0-9]{0,3})");
    private static final String STANDARD_SHARE = "1/64";
    private static final double STANDARD_ERROR_RATE = 0.05;
    private static final long STANDARD_EVENTS = 50;
    private static final long LONGEST_SECONDS = 30L * 86_400;

    private CanaryJson() {}

    /** Reads {@code share}: {@code 1/64}, or a number of vbuckets. Fails with ERR_INVALID_REQUEST. */
    public static int vbuckets(JsonNode share) {
        int count = 0;
        if (share.isIntegralNumber() && share.canConvertToInt()) {
            count = share.intValue();
        } else {
            Matcher part = SHARE.matcher(share.isMissingNode() ? STANDARD_SHARE : share.asString(""));
            count = part.matches() ? VBuckets.COUNT / Integer.parseInt(part.group(1)) : 0;
        }
        if (count < 1 || count > Canary.MAX_VBUCKETS) {
            throw FunctionsException.invalidRequest(
                    "The share of a canary is %s; use \"1/64\", any part from 1/2 to 1/1024, or a number of vbuckets up to %d."
                            .formatted(share, Canary.MAX_VBUCKETS));
        }
        return count;
    }

    /** Reads {@code rule}; what is absent has a default. Fails with ERR_INVALID_REQUEST. */
    public static CanaryRule rule(JsonNode json) {
        JsonNode seconds = json.path("promote_after");
        return new CanaryRule(
                number(json, "max_error_rate", STANDARD_ERROR_RATE, 0, 1),
                number(json, "max_slowdown", 0, 0, 1_000_000),
                (long) number(json, "min_events", STANDARD_EVENTS, 1, 1_000_000_000),
                seconds.isMissingNode() || seconds.isNull()
                        ? null
                        : Duration.ofSeconds((long) number(json, "promote_after", 0, 0, LONGEST_SECONDS)));
    }

    private static double number(JsonNode json, String name, double standard, double least, double most) {
        JsonNode value = json.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return standard;
        }
        if (!value.isNumber() || value.doubleValue() < least || value.doubleValue() > most) {
            throw FunctionsException.invalidRequest("Member '%s' of the rule is %s; it must be a number from %s to %s."
                    .formatted(name, value, whole(least), whole(most)));
        }
        return value.doubleValue();
    }

    private static String whole(double number) {
        return Long.toString((long) number);
    }

    /** Writes what is not part of {@link Staged}. */
    public static void write(ObjectNode json, Canary canary) {
        json.put("vbuckets", canary.count());
        json.set("rule", rule(canary.rule()));
        json.put("since", canary.since().toString());
        Canary.End end = canary.end();
        json.put("state", end == null ? "running" : end.outcome().name().toLowerCase(Locale.ROOT));
        if (end != null) {
            json.put("reason", end.reason()).put("ended", end.at().toString());
        }
    }

    private static ObjectNode rule(CanaryRule rule) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("max_error_rate", rule.maxErrorRate())
                .put("max_slowdown", rule.maxSlowdown())
                .put("min_events", rule.minEvents());
        if (rule.promoteAfter() != null) {
            json.put("promote_after", rule.promoteAfter().toSeconds());
        }
        return json;
    }

    /** Reads what {@link #write} wrote. */
    public static Canary read(JsonNode json, Staged next) {
        String state = json.path("state").asString();
        return new Canary(
                next,
                json.path("vbuckets").asInt(),
                rule(json.path("rule")),
                Instant.parse(json.path("since").asString()),
                state.equals("running")
                        ? null
                        : new Canary.End(
                                Canary.Outcome.valueOf(state.toUpperCase(Locale.ROOT)),
                                json.path("reason").asString(),
                                Instant.parse(json.path("ended").asString())));
    }

    /** Returns a canary as people see it. @param report what the versions have done on this node, or null */
    public static ObjectNode shown(Canary canary, long stable, @Nullable CanaryReport report) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("version", canary.next().version().number())
                .put("stable_version", stable)
                .put("share", (double) canary.count() / VBuckets.COUNT);
        write(json, canary);
        if (report != null) {
            json.set("canary", side(report.canary()));
            json.set("stable", side(report.stable()));
        }
        return json;
    }

    private static ObjectNode side(CanaryReport.Side side) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("handled", side.handled())
                .put("failed", side.failed())
                .put("error_rate", side.failureRate())
                .put("mean_micros", side.meanMicros())
                .put("p99_micros", side.p99Micros());
        ObjectNode effects = json.putObject("effects");
        side.effects().forEach(effects::put);
        return json;
    }
}
