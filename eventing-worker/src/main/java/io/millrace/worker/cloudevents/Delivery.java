package io.millrace.worker.cloudevents;

import io.github.resilience4j.core.IntervalFunction;
import io.millrace.documents.DocumentsException;
import io.millrace.worker.WorkerLimits;
import io.millrace.worker.curl.Poster;
import io.millrace.worker.curl.Poster.NoResponse;
import io.millrace.worker.curl.Poster.Response;
import io.millrace.worker.messages.Message;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends one event until the server has accepted it with a status from 200 to 299, has refused it, or its time is over. The same bytes
 * are sent each time. Thread-safe; calls block.
 */
final class Delivery {

    private static final double FACTOR = 2;
    private static final double JITTER = 0.5;

    private static final IntervalFunction PAUSES = IntervalFunction.ofExponentialRandomBackoff(
            WorkerLimits.FIRST_EVENT_PAUSE, FACTOR, JITTER, WorkerLimits.LONGEST_EVENT_PAUSE);

    /**
     * A message that is to be delivered.
     *
     * @param event the body of its requests
     * @param giveUpNanos when it is given up, by {@link System#nanoTime}
     */
    record Parcel(
            Message message, byte[] event, @Nullable String trace, long giveUpNanos, CompletableFuture<Void> answer) {}

    /** Why an attempt failed; it is not the last one if there is still time and the failure may pass. */
    private record Failure(String why, boolean passes, Duration atLeast) {}

    private final Poster poster;
    private final EventSink.Settings settings;
    private final @Nullable Signature signature;
    private final CountDownLatch end = new CountDownLatch(1);

    Delivery(Poster poster, EventSink.Settings settings, @Nullable Signature signature) {
        this.poster = poster;
        this.settings = settings;
        this.signature = signature;
    }

    Parcel parcel(Message message, @Nullable String trace) {
        return new Parcel(
                message,
                CloudEvent.of(message, settings.source(), settings.type(), Instant.now()),
                trace,
                System.nanoTime() + settings.patience().toNanos(),
                new CompletableFuture<>());
    }

    /** Ends all deliveries, at the latest when their attempts do. */
    void end() {
        end.countDown();
    }

    /** Returns when the event was accepted; fails when it was refused or its time is over, or when deliveries have been ended. */
    void deliver(Parcel parcel) throws DocumentsException, InterruptedException {
        Failure last = new Failure("events before it took the time", true, Duration.ZERO);
        for (int attempt = 1; left(parcel).isPositive(); attempt++) {
            Optional<Failure> failure = attempt(parcel);
            if (failure.isEmpty()) {
                return;
            }
            last = failure.get();
            if (!last.passes()) {
                throw DocumentsException.of(DocumentsException.Code.REFUSED, last.why());
            }
            Duration pause = pause(attempt, last.atLeast());
            if (pause.compareTo(left(parcel)) >= 0) {
                break;
            }
            if (end.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new InterruptedException("The function has ended");
            }
        }
        throw DocumentsException.of(
                DocumentsException.Code.UNAVAILABLE,
                "It was not accepted within %d seconds: %s"
                        .formatted(settings.patience().toSeconds(), last.why()));
    }

    private static Duration left(Parcel parcel) {
        return Duration.ofNanos(parcel.giveUpNanos() - System.nanoTime());
    }

    private static Duration pause(int attempt, Duration atLeast) {
        Duration pause = Duration.ofMillis(PAUSES.apply(attempt));
        return pause.compareTo(atLeast) > 0 ? pause : atLeast;
    }

    private Optional<Failure> attempt(Parcel parcel) {
        long deadline = Math.min(parcel.giveUpNanos() - System.nanoTime(), WorkerLimits.EVENT_TIMEOUT.toNanos())
                + System.nanoTime();
        try {
            return failure(poster.post(parcel.event(), headers(parcel), parcel.trace(), deadline));
        } catch (NoResponse e) {
            return Optional.of(new Failure(String.valueOf(e.getMessage()), e.passes(), Duration.ZERO));
        }
    }

    private Map<String, String> headers(Parcel parcel) {
        Map<String, String> headers = new HashMap<>(parcel.message().headers());
        headers.put("Content-Type", CloudEvent.MEDIA_TYPE);
        if (signature != null) {
            headers.putAll(signature.headers(parcel.message().id(), Instant.now(), parcel.event()));
        }
        return headers;
    }

    private static Optional<Failure> failure(Response response) {
        int status = response.status();
        if (status >= 200 && status < 300) {
            return Optional.empty();
        }
        boolean passes = status == 408 || status == 425 || status == 429 || status >= 500;
        return Optional.of(new Failure(
                described(response),
                passes,
                response.retryAfter().map(Delivery::asked).orElse(Duration.ZERO)));
    }

    private static String described(Response response) {
        if (response.status() >= 300 && response.status() < 400) {
            return "The server answered %d; events do not follow redirects, so bind the URL to which it leads"
                    .formatted(response.status());
        }
        String text = response.text().strip();
        return text.isEmpty()
                ? "The server answered %d".formatted(response.status())
                : "The server answered %d: %s"
                        .formatted(
                                response.status(),
                                text.substring(0, Math.min(text.length(), WorkerLimits.SHOWN_RESPONSE_CHARS)));
    }

    /** Returns how long a header Retry-After says to wait: seconds, or until a date. */
    private static Duration asked(String value) {
        String text = value.strip();
        try {
            return text.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(text))
                    : Duration.between(
                            Instant.now(),
                            ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant());
        } catch (DateTimeParseException e) {
            return Duration.ZERO;
        }
    }
}
