package io.millrace.eventing.http.monitoring;

import static io.millrace.eventing.http.Requests.get;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.http.Asker;
import io.millrace.eventing.http.Requests;
import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.spring.TraceStore;
import io.millrace.traces.spring.TraceStore.Reference;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What changes led to. Shows of a trace what the asking user may read: functions, and writes of documents. */
@RestController
@Tag(name = "statistics")
class TracesController {

    private static final int STANDARD_PAGE = 10;
    private static final int MAX_PAGE = 100;

    /** Spans that begin in the same microsecond are in the order of their parts. */
    private static final Comparator<Span> ORDER =
            Comparator.comparingLong(Span::startMicros).thenComparing(Span::kind);

    private final TraceStore store;

    TracesController(TraceStore store) {
        this.store = store;
    }

    @GetMapping("/api/v1/traces")
    @Operation(
            summary = "The newest traces of a function, a document or a request, or one trace by its id",
            description =
                    "Exactly one of trace, document, request and function says which; bucket and scope are those of the"
                            + " function. Spans and traces of what the user may not read are left out.")
    Mono<Map<String, Object>> traces(
            @RequestParam(required = false) @Nullable String trace,
            @RequestParam(required = false) @Nullable String document,
            @RequestParam(required = false) @Nullable String request,
            @RequestParam(required = false) @Nullable String function,
            @RequestParam(required = false) @Nullable String bucket,
            @RequestParam(required = false) @Nullable String scope,
            @RequestParam(required = false) @Nullable Integer limit,
            Asker asker) {
        long named = Stream.of(trace, document, request, function)
                .filter(one -> one != null && !one.isEmpty())
                .count();
        if (named != 1) {
            throw FunctionsException.of(
                    ErrorCode.ERR_INVALID_REQUEST,
                    "The query has %d of the parameters trace, document, request and function; give exactly one."
                            .formatted(named));
        }
        int most = Math.clamp(limit == null ? STANDARD_PAGE : limit, 1, MAX_PAGE);
        return Requests.work(() -> {
            List<String> ids;
            if (given(trace)) {
                ids = List.of(id(String.valueOf(trace)));
            } else if (given(function)) {
                FunctionName name = FunctionName.of(bucket, scope, String.valueOf(function));
                ids = get(store.newest(Reference.function(name.toString()), most));
            } else {
                ids = get(store.newest(
                        given(document)
                                ? Reference.document(String.valueOf(document))
                                : Reference.request(String.valueOf(request)),
                        most));
            }
            return Map.of("traces", shown(ids, asker));
        });
    }

    private static boolean given(@Nullable String parameter) {
        return parameter != null && !parameter.isEmpty();
    }

    /** Returns the id of a trace, which is also the second part of a {@code traceparent}. */
    private static String id(String trace) {
        String[] parts = trace.split("-", -1);
        return (parts.length == 4 ? parts[1] : trace).toLowerCase(Locale.ROOT);
    }

    private List<Map<String, Object>> shown(List<String> ids, Asker asker) throws Exception {
        List<Map<String, Object>> traces = new ArrayList<>();
        for (String id : ids) {
            List<Span> spans = inOrder(get(store.spans(id)).stream()
                    .filter(span -> readable(span, asker))
                    .toList());
            if (!spans.isEmpty()) {
                traces.add(shown(id, spans));
            }
        }
        return traces;
    }

    /** Returns each span behind the one that led to it: clocks differ, so times alone do not tell. */
    private static List<Span> inOrder(List<Span> spans) {
        Set<String> known = spans.stream().map(Span::span).collect(Collectors.toSet());
        Map<String, List<Span>> byParent = spans.stream()
                .sorted(ORDER)
                .collect(Collectors.groupingBy(span -> known.contains(span.parent()) ? span.parent() : ""));
        List<Span> ordered = new ArrayList<>();
        Deque<Span> next = new ArrayDeque<>(byParent.getOrDefault("", List.of()));
        while (!next.isEmpty()) {
            Span span = next.removeFirst();
            ordered.add(span);
            List<Span> ledTo = byParent.getOrDefault(span.span(), List.of());
            ledTo.reversed().forEach(next::addFirst);
        }
        return ordered;
    }

    /** What a function did is shown to those who may read the function, what a client did to those who may read the documents. */
    private static boolean readable(Span span, Asker asker) {
        String function = span.attribute(Attribute.FUNCTION);
        if (!function.isEmpty()) {
            String[] parts = function.split("/", -1);
            return asker.reads(
                    parts.length == 3 ? FunctionName.of(parts[0], parts[1], parts[2]) : FunctionName.of(function));
        }
        String keyspace = span.attribute(Attribute.KEYSPACE);
        int collection = keyspace.lastIndexOf('.');
        int scope = keyspace.lastIndexOf('.', collection - 1);
        return scope > 0
                && Access.allowed(
                        asker.subject(),
                        Permission.DATA_READ,
                        Resource.keyspace(
                                keyspace.substring(0, scope), // names of buckets may have dots
                                keyspace.substring(scope + 1, collection),
                                keyspace.substring(collection + 1)));
    }

    private static Map<String, Object> shown(String id, List<Span> spans) {
        long start = spans.stream().mapToLong(Span::startMicros).min().orElse(0);
        long end = spans.stream().mapToLong(Span::endMicros).max().orElse(start);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("trace", id);
        shown.put("started", time(start));
        shown.put("duration_us", end - start);
        shown.put("spans", spans.stream().map(TracesController::shown).toList());
        return shown;
    }

    private static Map<String, Object> shown(Span span) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("span", span.span());
        shown.put("parent", span.parent());
        shown.put("kind", span.kind().name().toLowerCase(Locale.ROOT));
        shown.put("name", span.name());
        shown.put("started", time(span.startMicros()));
        shown.put("duration_us", span.durationMicros());
        if (!span.error().isEmpty()) {
            shown.put("error", span.error());
        }
        shown.put("attributes", new TreeMap<>(span.attributes()));
        return shown;
    }

    private static String time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
}
