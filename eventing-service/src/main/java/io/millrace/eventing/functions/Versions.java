package io.millrace.eventing.functions;

import io.millrace.eventing.definition.DefinitionWriter;
import io.millrace.eventing.definition.DefinitionWriter.Secrets;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;
import io.millrace.eventing.definition.LifecycleFlags;
import io.millrace.eventing.versions.Author;
import io.millrace.eventing.versions.Canary;
import io.millrace.eventing.versions.DefinitionDiff;
import io.millrace.eventing.versions.Version;
import io.millrace.metakv.MetakvChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The versions of functions, read from the history that MetaKV keeps: they exist as long as it does. Deleting a function
 * ends its versions. Methods block and fail with {@link FunctionsException}.
 */
public final class Versions {

    /** The most versions in one response. */
    public static final int MAX_PAGE = 200;

    /** How many changes are read at once: room for the states between two versions. */
    private static final int CHANGES_PER_READ = 100;

    private static final Logger LOG = LoggerFactory.getLogger(Versions.class);

    private final FunctionStore store;
    private final Definitions definitions;

    Versions(FunctionStore store, Definitions definitions) {
        this.store = store;
        this.definitions = definitions;
    }

    /**
     * Returns versions of a function, newest first.
     *
     * @param before only versions with a smaller number
     * @param limit the most versions, up to {@link #MAX_PAGE}
     */
    public ObjectNode list(FunctionName name, long before, int limit) {
        StoredFunction current = current(name);
        // one more, to know what the last one changed
        List<StoredFunction> found =
                read(name, limit + 1, version -> version.version().number() < before);
        ObjectNode json = StoredFunction.JSON.createObjectNode();
        ArrayNode rows = json.putArray("versions");
        for (int i = 0; i < Math.min(limit, found.size()); i++) {
            StoredFunction version = found.get(i);
            ObjectNode row = rows.addObject();
            described(row, version.version());
            row.put("current", version.version().number() == current.version().number());
            if (i + 1 < found.size()) {
                ArrayNode changed = row.putArray("changed");
                changes(found.get(i + 1), version).parts().forEach(changed::add);
            }
        }
        if (found.size() > limit) {
            json.put("next", found.get(limit - 1).version().number());
        }
        return json;
    }

    /** Returns a version with its definition, secrets masked, or nothing if it is not kept. */
    public Optional<ObjectNode> show(FunctionName name, long number) {
        return version(name, number).map(Versions::shown);
    }

    private static ObjectNode shown(StoredFunction version) {
        ObjectNode json = StoredFunction.JSON.createObjectNode();
        described(json, version.version());
        json.set(
                "definition",
                DefinitionWriter.definition(version.definition(), LifecycleFlags.UNDEPLOY, Secrets.MASKED));
        return json;
    }

    /**
     * Returns what a version changed, or nothing if one of the two is not kept.
     *
     * @param from the version to compare it with
     */
    public Optional<Comparison> diff(FunctionName name, long number, long from) {
        return version(name, number)
                .flatMap(after ->
                        version(name, from).map(before -> new Comparison(from, number, changes(before, after))));
    }

    /** Two versions of a function and their differences. */
    public record Comparison(long from, long to, DefinitionDiff diff) {}

    /**
     * Saves a version as the newest one.
     *
     * @param restart whether a function that is deployed pauses and resumes; otherwise it refuses other code and bindings
     * @return the new version, or nothing if the former one is not kept
     */
    public Optional<Version> rollBack(FunctionName name, long number, boolean restart, Author author) {
        return version(name, number).map(former -> definitions.restore(name, former, restart, author));
    }

    private StoredFunction current(FunctionName name) {
        return store.find(name).orElseThrow(() -> FunctionsException.notFound(name));
    }

    Optional<StoredFunction> version(FunctionName name, long number) {
        StoredFunction current = current(name);
        Canary canary = current.canary();
        if (canary != null && canary.next().version().number() == number) {
            return Optional.of(current.withCanaryInPlace());
        }
        return current.version().number() == number
                ? Optional.of(current)
                : read(name, 1, version -> version.version().number() == number).stream()
                        .findFirst();
    }

    /** Reads versions, newest first: the newest form of each. */
    private List<StoredFunction> read(FunctionName name, int most, Predicate<StoredFunction> wanted) {
        List<StoredFunction> found = new ArrayList<>();
        long below = Long.MAX_VALUE;
        long last = Long.MAX_VALUE;
        while (true) {
            List<MetakvChange> changes = store.history(name, below, CHANGES_PER_READ);
            for (MetakvChange change : changes) {
                below = change.version();
                if (change.deleted()) {
                    return found;
                }
                StoredFunction version = parsed(name, change);
                if (version != null && version.version().number() < last) {
                    last = version.version().number();
                    if (wanted.test(version)) {
                        found.add(version);
                    }
                }
                if (found.size() == most) {
                    return found;
                }
            }
            if (changes.size() < CHANGES_PER_READ) {
                return found;
            }
        }
    }

    private static @Nullable StoredFunction parsed(FunctionName name, MetakvChange change) {
        byte[] value = change.value();
        try {
            return value == null ? null : StoredFunction.fromBytes(value);
        } catch (IllegalArgumentException unreadable) {
            LOG.warn(
                    "event=version_unreadable function={} change={} reason=\"{}\"",
                    name,
                    change.version(),
                    unreadable.getMessage());
            return null;
        }
    }

    private static DefinitionDiff changes(StoredFunction before, StoredFunction after) {
        return new DefinitionDiff(before.definition(), after.definition());
    }

    private static void described(ObjectNode json, Version version) {
        json.put("version", version.number())
                .put("time", version.time().toString())
                .put("author", version.author())
                .put("note", version.note());
    }
}
