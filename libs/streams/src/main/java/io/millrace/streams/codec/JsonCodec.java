package io.millrace.streams.codec;

import io.millrace.streams.store.EncodedEvent;
import io.millrace.streams.store.Limits;
import io.millrace.streams.store.StreamsException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Encodes the records of a sealed interface as JSON; the type of an event is the simple name of its record. Skips events of other
 * types, and logs each such type once.
 */
final class JsonCodec<E> implements Codec<E> {

    private static final System.Logger LOG = System.getLogger(JsonCodec.class.getName());
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Class<E> events;
    private final Map<String, Class<? extends E>> cases = new HashMap<>();
    private final Set<String> skipped = ConcurrentHashMap.newKeySet();
    private final InstantSource clock;

    JsonCodec(Class<E> events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
        add(events, events);
        if (cases.isEmpty()) {
            throw new IllegalArgumentException(
                    "Events must be a sealed interface of records or one record, but this is neither: "
                            + events.getName());
        }
    }

    private void add(Class<E> events, Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        if (permitted != null) {
            for (Class<?> sub : permitted) {
                add(events, sub);
            }
        } else if (!type.isInterface() && cases.put(type.getSimpleName(), type.asSubclass(events)) != null) {
            throw new IllegalArgumentException("Two records of events have the simple name " + type.getSimpleName());
        }
    }

    @Override
    public EncodedEvent encode(E event) {
        return EncodedEvent.of(event.getClass().getSimpleName(), JSON.writeValueAsString(event), clock.instant());
    }

    @Override
    public Optional<E> decode(EncodedEvent event) {
        Class<? extends E> type = cases.get(event.type());
        if (type == null) {
            skipped(event.type());
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(Compression.expand(event).data(), type));
        } catch (JacksonException e) {
            StreamsException failure = StreamsException.corrupt("An event of type '%s' cannot be read as %s: %s"
                    .formatted(event.type(), type.getName(), e.getMessage()));
            failure.initCause(e);
            throw failure;
        }
    }

    private void skipped(String type) {
        if (skipped.size() < Limits.MAX_LOGGED_TYPES && skipped.add(type)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "event=event_type_unknown type=\"{0}\" events={1} meaning=\"such events are skipped\""
                            + " remedy=\"add a record of this name, or keep that of a renamed one\"",
                    type,
                    events.getName());
        }
    }
}
