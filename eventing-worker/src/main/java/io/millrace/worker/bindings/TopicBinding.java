package io.millrace.worker.bindings;

import io.millrace.handler.host.HostFailure;
import io.millrace.handler.host.PublishCall;
import io.millrace.traces.Span;
import io.millrace.worker.WorkerLimits;
import io.millrace.worker.bindings.WriteBehind.StoreTimeout;
import io.millrace.worker.cloudevents.EventSink;
import io.millrace.worker.curl.Poster;
import io.millrace.worker.kafka.KafkaPublisher;
import io.millrace.worker.messages.Message;
import io.millrace.worker.report.Counters;
import io.millrace.workerprotocol.HandlerSettings;
import io.millrace.workerprotocol.HandlerSettings.Topic;
import io.millrace.workerprotocol.KafkaClusters;
import io.millrace.workerprotocol.WorkerSetup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The topics of a function, for all threads of its worker. */
public final class TopicBinding {

    private final StoreQueue store;
    private final Counters counters;
    private final String instance;
    private final Map<String, Topic> topics = new HashMap<>();
    private final Map<String, StreamSender> streams = new HashMap<>();
    private final @Nullable KafkaPublisher kafka;
    private final Map<String, EventSink> sinks = new HashMap<>();

    TopicBinding(WorkerSetup setup, StoreQueue store, Counters counters) {
        this.store = store;
        this.counters = counters;
        this.instance = setup.instance();
        Duration patience = Duration.ofMillis(setup.limits().writePatienceMillis());
        for (Topic topic : setup.handler().topics()) {
            topics.put(topic.name(), topic);
            if (topic.kind() == Topic.Kind.REDIS_STREAM) {
                streams.computeIfAbsent(
                        topic.topic(), name -> new StreamSender(store, name, topic.longest(), patience, counters));
            }
            if (topic.kind() == Topic.Kind.CLOUDEVENTS) {
                sinks.put(topic.name(), sink(setup, topic, patience));
            }
        }
        this.kafka = topics.values().stream().anyMatch(topic -> topic.kind() == Topic.Kind.KAFKA)
                ? new KafkaPublisher(kafka(setup, patience))
                : null;
    }

    private static EventSink sink(WorkerSetup setup, Topic topic, Duration patience) {
        HandlerSettings settings = setup.handler();
        HandlerSettings.Url url = settings.urls().stream()
                .filter(each -> each.name().equals(topic.url()))
                .findFirst()
                .orElseThrow(); // no definition without it is stored
        return new EventSink(
                new Poster(url, settings.access(), setup.redisUri()),
                new EventSink.Settings(
                        "/functions/" + setup.function(), topic.topic(), topic.signingSecret(), patience));
    }

    private static KafkaPublisher.Settings kafka(WorkerSetup setup, Duration patience) {
        return new KafkaPublisher.Settings(
                new KafkaClusters(Path.of(setup.handler().access().kafka())),
                "millrace-" + setup.function().replaceAll("[^A-Za-z0-9._-]", "-"),
                patience,
                // more than all threads may have unanswered, so that a full buffer is never why one fails
                2 * WorkerLimits.MAX_UNANSWERED_BYTES * (1 + setup.limits().threads()));
    }

    /**
     * Sends a message. One to a channel is sent once; any other is a write of the invocation, which fails if the message cannot be
     * stored or is not accepted.
     */
    void publish(PublishCall call, @Nullable Invocation by, WriteBehind writes) throws HostFailure {
        Topic topic = topics.get(call.binding());
        if (topic == null) {
            throw HostFailure.eventingError("There is no topic binding '%s'".formatted(call.binding()));
        }
        if (by == null) {
            throw HostFailure.eventingError("publish can be called only while an event is handled");
        }
        Message message = message(call, topic, by.nextMessageId(instance));
        try {
            writes.makeRoom(by);
        } catch (StoreTimeout e) {
            throw HostFailure.eventingError("The message was not sent: " + e.getMessage());
        } catch (InterruptedException e) {
            throw HostFailure.eventingError("The message was not sent: the invocation was stopped");
        }
        Trail trail = by.trail();
        Trail.Step step =
                trail == null ? null : trail.begin(Span.Kind.EFFECT, "publish", Map.of("topic", topic.topic()));
        CompletableFuture<Void> answer =
                sent(topic, message, step == null ? null : step.context().header());
        // what a channel loses is lost, but counts among what is unanswered while it is on its way
        writes.follow(
                topic.kind() == Topic.Kind.REDIS_CHANNEL ? answer.exceptionally(lost -> null) : answer,
                "The message for the topic " + topic.topic(),
                message.bytes(),
                topic.kind() == Topic.Kind.REDIS_STREAM,
                by);
        Trail.follow(step, answer);
    }

    /** Returns the message of a call. Fails if it is larger than a message may be, or has a header that its topic cannot take. */
    public static Message message(PublishCall call, Topic topic, String id) throws HostFailure {
        Message message = new Message(id, call.key(), call.type().mediaType(), call.headers(), call.content());
        if (message.bytes() > WorkerLimits.MAX_MESSAGE_BYTES) {
            throw HostFailure.eventingError(
                    "The message has %d bytes with its key and headers, more than the limit of %d"
                            .formatted(message.bytes(), WorkerLimits.MAX_MESSAGE_BYTES));
        }
        Optional<String> refused =
                topic.kind() == Topic.Kind.CLOUDEVENTS ? EventSink.refusedHeader(message) : Optional.empty();
        if (refused.isPresent()) {
            throw HostFailure.eventingError(
                    "A CloudEvent cannot have the header '%s', which the request sets itself; choose another name"
                            .formatted(refused.get()));
        }
        return message;
    }

    /** @param trace for a request, the value of the header {@code traceparent}; null for none */
    private CompletableFuture<Void> sent(Topic topic, Message message, @Nullable String trace) {
        StreamSender stream = streams.get(topic.topic());
        if (topic.kind() == Topic.Kind.REDIS_STREAM && stream != null) {
            return stream.send(message);
        }
        EventSink sink = sinks.get(topic.name());
        CompletableFuture<Void> answer = kafka != null && topic.kind() == Topic.Kind.KAFKA
                ? kafka.send(topic.cluster(), topic.topic(), message)
                : sink != null
                        ? sink.send(message, trace)
                        : store.messages(redis -> redis.publish(topic.topic(), message.content()));
        return answer.whenComplete(
                (done, failure) -> counters.add(failure == null ? Counters.MESSAGES : Counters.MESSAGES_FAILED, 1));
    }

    void close() {
        if (kafka != null) {
            kafka.close();
        }
        sinks.values().forEach(EventSink::close);
    }
}
