package io.millrace.eventing.libraries;

import io.millrace.eventing.configuration.MetakvCalls;
import io.millrace.eventing.configuration.MetakvWatch;
import io.millrace.eventing.definition.HandlerCodeCheck;
import io.millrace.handler.Library;
import io.millrace.metakv.MetakvClient;
import io.millrace.metakv.MetakvClient.MetakvEvent;
import io.millrace.metakv.MetakvEntry;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The libraries in MetaKV below {@value #DIRECTORY}, followed by a watch. A version never changes once it is saved.
 * Thread-safe; methods block, and fail with {@link LibraryException} or as {@link MetakvCalls} does.
 */
public final class LibraryStore implements HandlerCodeCheck.Libraries, AutoCloseable {

    static final String DIRECTORY = "/libraries/";

    /** The longest library, in UTF-8. */
    public static final int MAX_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(LibraryStore.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final MetakvClient metakv;
    private final InstantSource clock;
    private final Map<String, Saved> mirror = new ConcurrentHashMap<>();
    private final MetakvWatch watch;

    /** A library and when it was saved. */
    public record Saved(Library library, Instant at) {}

    public LibraryStore(MetakvClient metakv, InstantSource clock) {
        this.metakv = metakv;
        this.watch = new MetakvWatch(metakv, DIRECTORY, this::take);
        this.clock = clock;
    }

    /** Begins to follow the changes of other nodes. */
    public void start() {
        watch.start();
    }

    @Override
    public void close() {
        watch.close();
    }

    private void take(MetakvEvent event) {
        switch (event) {
            case MetakvEvent.Changed(MetakvEntry entry) -> keep(entry);
            case MetakvEvent.Deleted(String path) -> mirror.remove(id(path));
            case MetakvEvent.Ready() -> {}
        }
    }

    private @Nullable Saved keep(MetakvEntry entry) {
        Saved saved = parsed(entry);
        if (saved != null) {
            mirror.put(saved.library().id(), saved);
        }
        return saved;
    }

    private static @Nullable Saved parsed(MetakvEntry entry) {
        try {
            JsonNode json = JSON.readTree(entry.value());
            return new Saved(
                    new Library(id(entry.path()), json.path("code").asString("")),
                    Instant.parse(json.path("saved").asString("")));
        } catch (JacksonException | DateTimeException | IllegalArgumentException unreadable) {
            LOG.error("event=library_unreadable path={} reason=\"{}\"", entry.path(), unreadable.getMessage());
            return null;
        }
    }

    private static String path(String id) {
        return DIRECTORY + id.replace('@', '/');
    }

    private static String id(String path) {
        return path.substring(DIRECTORY.length()).replace('/', '@');
    }

    /** Saves a new version; does nothing if it exists with the same code, and fails with EXISTS if with other code. */
    public void save(Library library) {
        byte[] value = JSON.writeValueAsBytes(JSON.createObjectNode()
                .put("code", library.code())
                .put("saved", clock.instant().toString()));
        MetakvCalls.write(metakv.add(path(library.id()), value));
        Optional<Saved> stored = read(library.id());
        if (stored.isPresent() && !stored.get().library().equals(library)) {
            throw LibraryException.exists(library.id());
        }
    }

    @Override
    public Optional<Library> find(String id) {
        return saved(id).map(Saved::library);
    }

    /** Returns a library with its time, by its id. */
    public Optional<Saved> saved(String id) {
        Saved known = mirror.get(id);
        return known != null || !Library.isId(id) ? Optional.ofNullable(known) : read(id);
    }

    private Optional<Saved> read(String id) {
        MetakvEntry entry = MetakvCalls.read(metakv.get(path(id)));
        return Optional.ofNullable(entry == null ? null : keep(entry));
    }

    /** Returns all libraries, ordered by name and version. */
    public List<Saved> all() {
        List<MetakvEntry> entries = Objects.requireNonNull(MetakvCalls.read(metakv.list(DIRECTORY)));
        return entries.stream()
                .flatMap(entry -> Optional.ofNullable(parsed(entry)).stream())
                .toList();
    }

    @Override
    public String missing(String id) {
        return absent(id) + (all().isEmpty() ? ", so save it first" : "");
    }

    /** Returns that there is no such library, and which there are. */
    String absent(String id) {
        String name = id.substring(0, Math.max(0, id.indexOf('@')));
        List<String> ids = all().stream().map(saved -> saved.library().id()).toList();
        List<String> versions =
                ids.stream().filter(other -> other.startsWith(name + '@')).toList();
        List<String> others = versions.isEmpty()
                ? ids.stream()
                        .map(other -> other.substring(0, other.indexOf('@')))
                        .distinct()
                        .toList()
                : versions;
        return "There is no library %s; %s"
                .formatted(
                        id,
                        others.isEmpty()
                                ? "there are none yet"
                                : (versions.isEmpty() ? "there are libraries named " : "there is ")
                                        + String.join(", ", others));
    }

    /** Deletes a version; does nothing if there is none. */
    public void delete(String id) {
        MetakvCalls.write(metakv.delete(path(id)));
        mirror.remove(id);
    }

    /** Fails with INVALID if code is longer than a library may be. */
    public static void requireLength(String code) {
        int bytes = code.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw LibraryException.invalid(
                    "The library has %d bytes, at most %d are allowed; divide it.".formatted(bytes, MAX_BYTES));
        }
    }
}
