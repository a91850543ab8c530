package io.millrace.metakvservice.audit;

import io.millrace.audit.AuditLimits;
import io.millrace.metakv.MetakvException;
import io.millrace.metakvservice.http.ErrorTable;
import io.millrace.metakvservice.http.Heartbeats;
import io.millrace.streams.store.StreamStore.Page;
import io.millrace.streams.store.TimelineEvent;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The audit trails of all services: who did what, when, from where, and with what result. */
@RestController
@RequestMapping("/api/v1/audit")
@Tag(name = "Audit")
final class AuditController {

    private static final int MAX_LINES = 1_000;

    /** How many lines one request looks at. */
    private static final int MAX_SCANNED = 20_000;

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final AuditLog log;

    AuditController(AuditLog log) {
        this.log = log;
    }

    /** Lines that were looked at, up to {@code next}. */
    private record Found(List<TimelineEvent> lines, long next, boolean more) {}

    @GetMapping
    @Operation(
            operationId = "readAudit",
            summary = "Read the audit trails",
            description =
                    "Lines from the position `since` on, or the `last` lines, in the order in which they arrived, up to"
                            + " `max`; `next` is the position after them. With filters a page may be empty while `more` is true. With Accept:"
                            + " text/event-stream, new lines too as they arrive.")
    @ApiResponse(
            responseCode = "200",
            description = "The lines",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = AuditBodies.Lines.class)))
    Mono<ResponseEntity<String>> lines(
            @RequestParam(name = "since", defaultValue = "0") long since,
            @RequestParam(name = "last", required = false) @Nullable Integer last,
            @RequestParam(name = "max", defaultValue = "100") int max,
            @RequestParam(name = "user", required = false) @Nullable String user,
            @RequestParam(name = "event", required = false) @Nullable String event,
            @RequestParam(name = "from", required = false) @Nullable String from,
            @RequestParam(name = "to", required = false) @Nullable String to,
            @RequestParam(name = "trail", required = false) @Nullable String trail) {
        if (max < 1 || max > MAX_LINES) {
            throw invalid("max must be 1 to " + MAX_LINES + '.');
        }
        AuditFilter filter = AuditFilter.of(trail, user, event, from, to);
        return begin(since, last)
                .flatMap(begin -> find(new Found(List.of(), begin, true), filter, max, MAX_SCANNED))
                .map(found -> ResponseEntity.ok()
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(body(found)));
    }

    @GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(
            operationId = "followAudit",
            summary = "Follow the audit trails",
            description = "Server-sent events: the lines from `since` on, the `last` lines, or those from the header"
                    + " Last-Event-ID, which is an id of an earlier answer, then new ones.")
    @ApiResponse(responseCode = "200", description = "The lines")
    ResponseEntity<Flux<ServerSentEvent<String>>> follow(
            @RequestParam(name = "since", defaultValue = "0") long since,
            @RequestParam(name = "last", required = false) @Nullable Integer last,
            @RequestParam(name = "user", required = false) @Nullable String user,
            @RequestParam(name = "event", required = false) @Nullable String event,
            @RequestParam(name = "from", required = false) @Nullable String from,
            @RequestParam(name = "to", required = false) @Nullable String to,
            @RequestParam(name = "trail", required = false) @Nullable String trail,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable Long lastEventId) {
        AuditFilter filter = AuditFilter.of(trail, user, event, from, to);
        Mono<Long> begin = lastEventId == null ? begin(since, last) : Mono.just(checked(lastEventId));
        Flux<ServerSentEvent<String>> events = begin.flatMap(position -> page(filter, position))
                .expand(found -> found.more()
                        ? page(filter, found.next())
                        : Mono.delay(PERIOD).then(page(filter, found.next())))
                .concatMapIterable(Found::lines)
                .map(line -> ServerSentEvent.builder(line.event().data())
                        .id(Long.toString(line.index() + 1))
                        .build());
        return ResponseEntity.ok()
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .header("Cache-Control", "no-store")
                .body(Heartbeats.among(events));
    }

    @GetMapping("/trails")
    @Operation(
            operationId = "listAuditTrails",
            summary = "List the trails",
            description = "Those with lines in the stream, and how far each is copied.")
    @ApiResponse(responseCode = "200", description = "The trails")
    Mono<AuditBodies.Known> trails() {
        return log.trails()
                .map(trails -> new AuditBodies.Known(trails.byName().entrySet().stream()
                        .map(trail -> new AuditBodies.Trail(
                                trail.getKey(), trail.getValue().sequence()))
                        .toList()));
    }

    @PostMapping("/trails/{trail}")
    @Operation(
            operationId = "appendToAuditTrail",
            summary = "Append lines to a trail",
            description = "For services. Lines that the stream has already are left out.")
    @ApiResponse(responseCode = "200", description = "How far the trail is copied now")
    Mono<AuditBodies.Trail> append(@PathVariable("trail") String trail, @RequestBody AuditBodies.Append body) {
        if (body.lines().size() > AuditLimits.MAX_LINES_PER_COPY) {
            throw invalid("A request has at most " + AuditLimits.MAX_LINES_PER_COPY + " lines.");
        }
        return Mono.defer(() -> Mono.fromFuture(log.append(trail, body.lines())))
                .onErrorMap(IllegalArgumentException.class, failure -> invalid(String.valueOf(failure.getMessage())))
                .map(sequence -> new AuditBodies.Trail(trail, sequence));
    }

    private Mono<Found> page(AuditFilter filter, long from) {
        return find(new Found(List.of(), from, true), filter, MAX_LINES, MAX_SCANNED);
    }

    /** Reads on until there are enough lines, or no further ones. */
    private Mono<Found> find(Found before, AuditFilter filter, int max, long scan) {
        return log.read(before.next()).flatMap(page -> {
            if (before.next() > page.version()) {
                return Mono.error(ErrorTable.gone("There are " + page.version() + " lines, and since is "
                        + before.next() + ": Redis has lost some. Read again without since."));
            }
            Found found = take(before, page, filter, max);
            long left = scan - (found.next() - page.start());
            return found.more() && found.lines().size() < max && left > 0
                    ? find(found, filter, max, left)
                    : Mono.just(found);
        });
    }

    private static Found take(Found before, Page page, AuditFilter filter, int max) {
        List<TimelineEvent> lines = new ArrayList<>(before.lines());
        long next = Math.max(before.next(), page.start());
        for (TimelineEvent event : page.events()) {
            if (lines.size() == max) {
                break;
            }
            next = event.index() + 1;
            if (filter.test(event)) {
                lines.add(event);
            }
        }
        return new Found(lines, next, next < page.version());
    }

    private static String body(Found found) {
        StringBuilder json = new StringBuilder("{\"lines\":[");
        for (TimelineEvent line : found.lines()) {
            json.append(json.charAt(json.length() - 1) == '[' ? "" : ",")
                    .append(line.event().data());
        }
        return json.append("],\"next\":")
                .append(found.next())
                .append(",\"more\":")
                .append(found.more())
                .append('}')
                .toString();
    }

    /** Returns the position to read from: that of the caller, or the one that so many lines follow. */
    private Mono<Long> begin(long since, @Nullable Integer last) {
        if (last == null) {
            return Mono.just(checked(since));
        }
        if (last < 1 || last > MAX_LINES) {
            throw invalid("last must be 1 to " + MAX_LINES + '.');
        }
        return log.end().map(end -> Math.max(0, end - last));
    }

    private static long checked(long position) {
        if (position < 0) {
            throw invalid("since must be at least 0, as in `next` of the last page.");
        }
        return position;
    }

    private static MetakvException invalid(String message) {
        return MetakvException.of(MetakvException.Code.INVALID_REQUEST, message);
    }
}
