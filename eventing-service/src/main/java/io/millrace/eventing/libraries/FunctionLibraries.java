package io.millrace.eventing.libraries;

import io.millrace.eventing.definition.CodeCheck.Mistake;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.HandlerCodeCheck;
import io.millrace.handler.ImportedLibraries;
import io.millrace.handler.Library;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The libraries, and who imports them. Methods block and fail with {@link LibraryException}. */
public final class FunctionLibraries {

    private static final String LIBRARIES = "libraries";

    private final LibraryStore libraries;
    private final Supplier<List<FunctionDefinition>> functions;
    private final HandlerCodeCheck check;

    /** @param functions returns the definitions that run or are about to run */
    public FunctionLibraries(
            LibraryStore libraries, Supplier<List<FunctionDefinition>> functions, HandlerCodeCheck check) {
        this.libraries = libraries;
        this.functions = functions;
        this.check = check;
    }

    /**
     * A library.
     *
     * @param saved when
     * @param imports the libraries that it imports itself
     * @param users the functions that import it, directly or through other libraries, and the libraries that import it
     */
    public record Listed(Library library, Instant saved, List<String> imports, List<String> users) {}

    /** Returns all libraries, ordered by name and version. */
    public List<Listed> list() {
        List<LibraryStore.Saved> all = libraries.all();
        return all.stream().map(saved -> listed(saved, all)).toList();
    }

    /** Returns one library; fails with NOT_FOUND. */
    public Listed get(String id) {
        return listed(existing(id), libraries.all());
    }

    private LibraryStore.Saved existing(String id) {
        return libraries.saved(id).orElseThrow(() -> LibraryException.notFound(libraries.absent(id) + '.'));
    }

    private Listed listed(LibraryStore.Saved saved, List<LibraryStore.Saved> all) {
        Library library = saved.library();
        return new Listed(library, saved.at(), ImportedLibraries.of(library), usersOf(library.id(), all));
    }

    private List<String> usersOf(String id, List<LibraryStore.Saved> all) {
        Stream<String> importing = all.stream()
                .map(LibraryStore.Saved::library)
                .filter(other -> ImportedLibraries.of(other).contains(id))
                .map(Library::id);
        Stream<String> names = functions.get().stream()
                .filter(definition -> check.libraries(definition).stream()
                        .anyMatch(library -> library.id().equals(id)))
                .map(definition -> definition.name().toString())
                .distinct();
        return Stream.concat(names, importing).toList();
    }

    /**
     * Saves a version of a library; does nothing if it is there with this code. Fails with INVALID if it cannot be imported, and
     * with EXISTS if the version has other code.
     */
    public void save(String name, String version, String code) {
        String id = name + '@' + version;
        if (!Library.isId(id)) {
            throw LibraryException.invalid(
                    "'%s' and '%s' are not a name and a version: each has 1 to 50 letters, digits, '.', '_' and '-', the first one a letter or a digit."
                            .formatted(name, version));
        }
        LibraryStore.requireLength(code);
        Library library = new Library(id, code);
        if (libraries.find(id).isEmpty()) {
            requireValid(library);
        }
        libraries.save(library);
    }

    private void requireValid(Library library) {
        List<String> imports = ImportedLibraries.of(library);
        imports.stream()
                .filter(id -> Library.isId(id) && libraries.find(id).isEmpty())
                .findFirst()
                .ifPresent(id -> {
                    throw LibraryException.invalid(libraries.missing(id) + '.');
                });
        List<Mistake> mistakes = check.check(library, ImportedLibraries.all(imports, libraries::find));
        if (!mistakes.isEmpty()) {
            throw LibraryException.invalid("%s cannot be imported: %s."
                    .formatted(
                            library.id(),
                            mistakes.stream()
                                    .map(mistake -> mistake.line() == 0
                                            ? mistake.message()
                                            : "line %d: %s".formatted(mistake.line(), mistake.message()))
                                    .collect(Collectors.joining("; "))));
        }
    }

    /** Deletes a version that nothing imports; fails with NOT_FOUND or IN_USE. */
    public void delete(String id) {
        existing(id);
        List<String> users = usersOf(id, libraries.all());
        if (!users.isEmpty()) {
            throw LibraryException.inUse(id, users);
        }
        libraries.delete(id);
    }

    /** Returns definitions with the libraries that their code imports in a member of each. */
    public ArrayNode exported(ArrayNode definitions) {
        for (JsonNode definition : definitions) {
            List<Library> imported =
                    ImportedLibraries.all(definition.path("appcode").asString(""), libraries::find);
            if (!imported.isEmpty()) {
                ObjectNode texts = ((ObjectNode) definition).putObject(LIBRARIES);
                imported.reversed().forEach(library -> texts.put(library.id(), library.code()));
            }
        }
        return definitions;
    }

    /** Saves the libraries of exported definitions, each after those that it imports, and takes them out of the definitions. */
    public JsonNode imported(JsonNode body) {
        for (JsonNode json : body.isArray() ? body : List.of(body)) {
            if (json instanceof ObjectNode definition && definition.remove(LIBRARIES) instanceof ObjectNode texts) {
                List<String> open = new ArrayList<>(texts.propertyNames());
                while (!open.isEmpty()) {
                    String id = open.stream()
                            .filter(isReady(texts, open))
                            .findFirst()
                            .orElse(open.getFirst());
                    open.remove(id);
                    String[] parts = id.split("@", 2);
                    save(
                            parts[0],
                            parts.length == 2 ? parts[1] : "",
                            texts.path(id).asString(""));
                }
            }
        }
        return body;
    }

    private static Predicate<String> isReady(ObjectNode texts, List<String> open) {
        return id -> Library.isId(id)
                && ImportedLibraries.of(new Library(id, texts.path(id).asString(""))).stream()
                        .noneMatch(open::contains);
    }
}
