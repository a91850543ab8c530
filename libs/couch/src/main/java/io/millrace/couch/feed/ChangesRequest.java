package io.millrace.couch.feed;

import io.millrace.couch.CouchException;
import io.millrace.couch.CouchLimits;
import io.millrace.couch.document.QueryParameters;
import io.millrace.couch.document.RawObject;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The validated parameters of a changes request. */
record ChangesRequest(
        QueryParameters query,
        @Nullable RawObject body,
        Feed feed,
        String since,
        long limit,
        boolean descending,
        boolean includeDocs,
        boolean allLeaves,
        boolean seqHeartbeats,
        long heartbeatMillis,
        long timeoutMillis,
        long seqInterval) {

    enum Feed {
        NORMAL,
        LONGPOLL,
        CONTINUOUS,
        EVENTSOURCE
    }

    static ChangesRequest read(QueryParameters query, @Nullable RawObject body, @Nullable String lastEventId) {
        Feed feed = feed(query);
        String since = query.text("since");
        if (query.get("last-event-id") != null) {
            since = query.text("last-event-id");
        }
        if (feed == Feed.EVENTSOURCE && lastEventId != null) {
            since = new QueryParameters(java.util.Map.of("since", lastEventId)).text("since");
        }
        Long limit = query.count("limit");
        long heartbeat = heartbeat(query);
        Long timeout = query.count("timeout");
        long longest = CouchLimits.MAX_WAIT.toMillis();
        return new ChangesRequest(
                query,
                body,
                feed,
                since == null ? "0" : since,
                limit == null ? Long.MAX_VALUE : limit,
                query.isTrue("descending"),
                query.isTrue("include_docs"),
                style(query),
                query.isTrue("heartbeat_seq"),
                heartbeat,
                timeout == null ? longest : Math.min(timeout, longest),
                seqInterval(query));
    }

    private static Feed feed(QueryParameters query) {
        String feed = query.get("feed");
        return switch (feed == null ? "normal" : feed.toLowerCase(Locale.ROOT)) {
            case "normal" -> Feed.NORMAL;
            case "longpoll" -> Feed.LONGPOLL;
            case "continuous", "live" -> Feed.CONTINUOUS;
            case "eventsource" -> Feed.EVENTSOURCE;
            default ->
                throw CouchException.badRequest(
                        "Supported `feed` types: normal, continuous, live, longpoll, eventsource");
        };
    }

    private static boolean style(QueryParameters query) {
        String style = query.text("style");
        return switch (style == null ? "main_only" : style) {
            case "main_only" -> false;
            case "all_docs" -> true;
            default -> throw CouchException.badRequest("Supported `style` values: main_only, all_docs");
        };
    }

    /** Returns the time between heartbeats in milliseconds, or 0 without heartbeats. */
    private static long heartbeat(QueryParameters query) {
        String heartbeat = query.get("heartbeat");
        long longest = CouchLimits.MAX_WAIT.toMillis();
        if (heartbeat == null || heartbeat.equals("false")) {
            return 0;
        }
        if (heartbeat.equals("true")) {
            return longest;
        }
        long millis;
        try {
            millis = Long.parseLong(heartbeat);
        } catch (NumberFormatException e) {
            throw CouchException.badRequest(
                    "Invalid heartbeat value. Expecting a positive integer value (in milliseconds).");
        }
        if (millis <= 0) {
            throw CouchException.badRequest("The heartbeat value should be a positive integer (in milliseconds).");
        }
        return Math.min(millis, longest);
    }

    private static long seqInterval(QueryParameters query) {
        String interval = query.get("seq_interval");
        if (interval == null) {
            return 1;
        }
        try {
            long number = Long.parseLong(interval);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw CouchException.badRequest("invalid_seq_interval");
    }

    /** Returns the ids of {@code _doc_ids}, from the body or the URL. */
    List<String> docIds() {
        JsonNode ids = body == null ? query.json("doc_ids") : body.tree("doc_ids");
        if (ids == null || !ids.isArray() || !ids.valueStream().allMatch(JsonNode::isString)) {
            throw CouchException.badRequest("`doc_ids` filter parameter is not a list of doc ids.");
        }
        return ids.valueStream().map(JsonNode::asString).distinct().toList();
    }
}
