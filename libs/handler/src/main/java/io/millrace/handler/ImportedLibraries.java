package io.millrace.handler;

import io.millrace.handler.code.LibraryModules;
import io.millrace.handler.code.UserCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds the libraries that code imports by its text. */
public final class ImportedLibraries {

    private ImportedLibraries() {}

    /**
     * An import declaration of a handler.
     *
     * @param library what follows {@code from}; whether it is a {@linkplain Library#isId library} has not been checked
     * @param line where the declaration begins, from 1
     * @param column likewise
     */
    public record Import(String library, int line, int column) {}

    /** Returns the import declarations at the top of the code of a handler. */
    public static List<Import> of(String code) {
        return UserCode.imports(code);
    }

    /**
     * Returns the libraries that the code of a handler imports, directly and through others; those that cannot be found are
     * left out.
     *
     * @param find returns a library by its id
     */
    public static List<Library> all(String code, Function<String, Optional<Library>> find) {
        return all(of(code).stream().map(Import::library).toList(), find);
    }

    /** Returns libraries and those that they import; those that cannot be found are left out. */
    public static List<Library> all(List<String> ids, Function<String, Optional<Library>> find) {
        Map<String, Library> found = new LinkedHashMap<>();
        Deque<String> open = new ArrayDeque<>(ids);
        while (!open.isEmpty()) {
            String id = open.remove();
            if (!found.containsKey(id) && Library.isId(id)) {
                find.apply(id).ifPresent(library -> {
                    found.put(id, library);
                    open.addAll(LibraryModules.imports(library));
                });
            }
        }
        return List.copyOf(found.values());
    }

    /** Returns what a library imports itself, each once; nothing if it is not JavaScript. */
    public static List<String> of(Library library) {
        return LibraryModules.imports(library);
    }
}
