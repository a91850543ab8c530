package io.millrace.eventing.definition;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.definition.DeploymentConfig.EventSource;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.ImportedLibraries;
import io.millrace.handler.Library;
import io.millrace.handler.QueryLanguage;
import io.millrace.handler.SyntaxCheck;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementOutline;
import io.millrace.n1ql.keyspace.KeyspaceName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks code with the handler library, as workers do before they run it. */
public final class HandlerCodeCheck implements CodeCheck, AutoCloseable {

    private static final String ON_EVENT = "OnEvent";
    private static final String ON_MESSAGE = "OnMessage";

    /** The most functions whose keyspaces are remembered. */
    private static final int REMEMBERED = 1_000;

    /** The most that all libraries of a function have together. */
    private static final long MAX_IMPORTED_BYTES = 4L << 20;

    private final SyntaxCheck check;

    /** What the statements of code name: each deployment asks that of all deployed functions. Guarded by itself. */
    private final Map<HandlerSpec, Named> named = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<HandlerSpec, Named> eldest) {
            return size() > REMEMBERED;
        }
    };

    private final Libraries libraries;

    /** Where libraries are. */
    public interface Libraries {

        /** Returns a library by its id. Blocks. */
        Optional<Library> find(String id);

        /** Returns why there is no library with an id, and which ones there are. Blocks. */
        String missing(String id);
    }

    public HandlerCodeCheck(Libraries libraries) {
        this(libraries, HandlerCodeCheck::read);
    }

    HandlerCodeCheck(Libraries libraries, QueryLanguage queries) {
        this.libraries = libraries;
        check = new SyntaxCheck(queries);
    }

    @Override
    public List<Mistake> check(FunctionDefinition definition) {
        List<Mistake> missing = missing(definition);
        if (!missing.isEmpty()) {
            return missing;
        }
        List<Library> imported = libraries(definition);
        long bytes = imported.stream()
                .mapToLong(library -> library.code().getBytes(StandardCharsets.UTF_8).length)
                .sum();
        if (bytes > MAX_IMPORTED_BYTES) {
            return List.of(new Mistake(
                    "The imported libraries have %d bytes, at most %d are allowed".formatted(bytes, MAX_IMPORTED_BYTES),
                    1,
                    1));
        }
        return switch (check.check(spec(definition).withLibraries(imported))) {
            case SyntaxCheck.Accepted accepted ->
                entryPoints(accepted.entryPoints(), definition.deployment().events());
            case HandlerRejected rejected ->
                rejected.mistakes().stream()
                        .map(mistake -> new Mistake(mistake.message(), mistake.line(), mistake.column()))
                        .toList();
        };
    }

    private List<Mistake> missing(FunctionDefinition definition) {
        return ImportedLibraries.of(definition.code()).stream()
                .filter(declaration -> Library.isId(declaration.library())
                        && libraries.find(declaration.library()).isEmpty())
                .map(declaration ->
                        new Mistake(libraries.missing(declaration.library()), declaration.line(), declaration.column()))
                .toList();
    }

    @Override
    public List<Library> libraries(FunctionDefinition definition) {
        return ImportedLibraries.all(definition.code(), libraries::find);
    }

    /** Returns what is wrong with a library that may import others. Blocks. */
    public List<Mistake> check(Library library, List<Library> others) {
        return check.check(library, others).stream()
                .map(mistake -> new Mistake(mistake.message(), mistake.line(), mistake.column()))
                .toList();
    }

    /** Code must have the entry points of its source, and none that is never called. */
    private static List<Mistake> entryPoints(List<String> declared, @Nullable EventSource events) {
        if (events == null) {
            return Stream.of(
                            uncalled(
                                    declared,
                                    ON_EVENT,
                                    "the source is a bucket; name a category of event streams in source_category"),
                            uncalled(declared, ON_MESSAGE, "the source is a bucket; name a topic in source_topic"))
                    .flatMap(List::stream)
                    .toList();
        }
        String own = events.ofTopic() ? ON_MESSAGE : ON_EVENT;
        String source = events.ofTopic() ? "a topic" : "a category of event streams";
        if (!declared.contains(own)) {
            return List.of(new Mistake(
                    "%s is not declared, but the source is %s; declare %s"
                            .formatted(
                                    own,
                                    events.ofTopic()
                                            ? "the topic " + events.topic()
                                            : "the category %s of event streams".formatted(events.category()),
                                    events.ofTopic() ? "OnMessage(message, meta)" : "OnEvent(event, meta)"),
                    0,
                    0));
        }
        return Stream.of("OnUpdate", "OnDelete", events.ofTopic() ? ON_EVENT : ON_MESSAGE)
                .flatMap(name ->
                        uncalled(declared, name, "the source is %s; only %s is called for it".formatted(source, own))
                                .stream())
                .toList();
    }

    private static List<Mistake> uncalled(List<String> declared, String name, String why) {
        return declared.contains(name)
                ? List.of(new Mistake("%s is declared, but %s".formatted(name, why), 0, 0))
                : List.of();
    }

    @Override
    public Named named(FunctionDefinition definition) {
        HandlerSpec spec = spec(definition);
        synchronized (named) {
            Named known = named.get(spec);
            if (known != null) {
                return known;
            }
        }
        List<StatementOutline> statements =
                check.statements(spec).stream().map(StatementOutline::of).toList();
        Named read = new Named(
                keyspaces(statements, StatementOutline::reads), keyspaces(statements, StatementOutline::changes));
        synchronized (named) {
            named.put(spec, read);
        }
        return read;
    }

    private static List<Keyspace> keyspaces(
            List<StatementOutline> statements, Function<StatementOutline, List<KeyspaceName>> part) {
        return statements.stream()
                .flatMap(statement -> part.apply(statement).stream())
                .distinct()
                .map(name -> new Keyspace(name.bucket(), name.scope(), name.collection()))
                .toList();
    }

    /**
     * Joins the handler library and the query library, which do not depend on each other; the worker has the same
     * lines.
     */
    static QueryLanguage.Reading read(String text) {
        try {
            StatementOutline outline = StatementOutline.of(text);
            return new QueryLanguage.Statement(outline.parameters(), outline.select());
        } catch (QueryException e) {
            return new QueryLanguage.Unreadable(
                    "N1QL " + e.description(), Math.max(1, e.line()), Math.max(1, e.column()));
        }
    }

    private static HandlerSpec spec(FunctionDefinition definition) {
        Settings settings = definition.settings();
        return new HandlerSpec(
                definition.name().name(),
                definition.code(),
                settings.lines(Setting.HANDLER_HEADERS),
                settings.lines(Setting.HANDLER_FOOTERS),
                Duration.ofSeconds(settings.whole(Setting.EXECUTION_TIMEOUT)),
                settings.whole(Setting.ALLOCATION_LIMIT),
                settings.flag(Setting.STRICT_DOCUMENTS),
                LanguageCompatibility.of(settings.text(Setting.LANGUAGE_COMPATIBILITY))
                        .orElseThrow(),
                List.of(),
                definition.constants().stream()
                        .map(binding -> new HandlerSpec.Constant(binding.alias(), binding.literal()))
                        .toList(),
                List.of(),
                List.of(),
                settings.typescript());
    }

    @Override
    public void close() {
        check.close();
    }
}
