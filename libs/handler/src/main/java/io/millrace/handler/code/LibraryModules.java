package io.millrace.handler.code;

import com.oracle.js.parser.ErrorManager;
import com.oracle.js.parser.Parser;
import com.oracle.js.parser.ParserException;
import com.oracle.js.parser.Source;
import com.oracle.js.parser.ir.CallNode;
import com.oracle.js.parser.ir.FunctionNode;
import com.oracle.js.parser.ir.LexicalContext;
import com.oracle.js.parser.ir.Module;
import com.oracle.js.parser.ir.Module.ExportEntry;
import com.oracle.js.parser.ir.Module.ModuleRequest;
import com.oracle.js.parser.ir.visitor.NodeVisitor;
import com.oracle.truffle.api.strings.TruffleString;
import io.millrace.handler.HandlerRejected.Mistake;
import io.millrace.handler.Library;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What libraries import and export, as far as their text says; nothing is run. */
public final class LibraryModules {

    private static final String DEFAULT = "default";

    private final Map<String, Library> libraries = new LinkedHashMap<>();

    LibraryModules(List<Library> libraries) {
        libraries.forEach(library -> this.libraries.put(library.id(), library));
    }

    /** Returns what a library imports, each specifier once; nothing if it is not JavaScript. */
    public static List<String> imports(Library library) {
        try {
            return requests(tree(library));
        } catch (ParserException e) {
            return List.of();
        }
    }

    private static List<String> requests(FunctionNode tree) {
        return tree.getModule().getRequestedModules().stream()
                .map(LibraryModules::specifier)
                .distinct()
                .toList();
    }

    private static String specifier(ModuleRequest request) {
        return request.specifier().toJavaStringUncached();
    }

    private static FunctionNode tree(Library library) {
        return new Parser(
                        CodeCheck.ENVIRONMENT,
                        Source.sourceFor(library.id(), library.code()),
                        new ErrorManager.ThrowErrorManager())
                .parseModule(library.id());
    }

    /** Returns what is wrong with a library whose syntax is right, when it may import these. */
    static List<Mistake> mistakes(Library library, List<Library> others) {
        FunctionNode tree = tree(library);
        List<Mistake> mistakes = new ArrayList<>();
        LibraryModules known = new LibraryModules(others);
        for (String specifier : requests(tree)) {
            if (!known.has(specifier)) {
                mistakes.add(new Mistake(missing(specifier), 0, 0));
            }
        }
        wanted(tree.getModule())
                .filter(one -> known.has(one.library()) && !one.all())
                .filter(one -> !known.exports(one.library()).contains(one.text()))
                .map(one -> known.notExported(one.library(), one.text()))
                .distinct()
                .forEach(what -> mistakes.add(new Mistake(what, 0, 0)));
        tree.accept(new NodeVisitor<>(new LexicalContext()) {
            @Override
            public boolean enterCallNode(CallNode call) {
                if (call.isImport()) {
                    int line = (int) library.code()
                                    .substring(0, call.getStart())
                                    .chars()
                                    .filter(c -> c == '\n')
                                    .count()
                            + 1;
                    mistakes.add(new Mistake(
                            "import() is not available to libraries; import at the top of the module", line, 0));
                }
                return true;
            }
        });
        return mistakes;
    }

    /** A name that a module takes from a library. */
    private record Wanted(String library, TruffleString name) {

        boolean all() {
            return name.equals(Module.STAR_NAME) || name.equals(Module.NAMESPACE_EXPORT_BINDING_NAME);
        }

        String text() {
            return name.toJavaStringUncached();
        }
    }

    /** Returns what a module imports, and what it exports without importing it. */
    private static Stream<Wanted> wanted(Module module) {
        return Stream.concat(
                module.getImportEntries().stream()
                        .map(entry -> new Wanted(specifier(entry.getModuleRequest()), entry.getImportName())),
                module.getIndirectExportEntries().stream()
                        .map(entry -> new Wanted(specifier(entry.getModuleRequest()), entry.getImportName())));
    }

    /** Returns why a library is not JavaScript, with its place, or null. */
    @Nullable
    String mistake(String id) {
        try {
            tree(Objects.requireNonNull(libraries.get(id)));
            return null;
        } catch (ParserException e) {
            return "SyntaxError: %s (%s:%d:%d)"
                    .formatted(
                            String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                            id,
                            e.getLineNumber(),
                            e.getColumnNumber() + 1);
        }
    }

    boolean has(String id) {
        return libraries.containsKey(id);
    }

    /** Returns the names that a library exports, also those that it takes from others. */
    Set<String> exports(String id) {
        Set<String> names = new TreeSet<>();
        collect(id, names, new HashSet<>());
        return names;
    }

    private void collect(String id, Set<String> names, Set<String> seen) {
        Module module = module(id);
        if (module == null || !seen.add(id)) {
            return;
        }
        Stream.concat(module.getLocalExportEntries().stream(), module.getIndirectExportEntries().stream())
                .map(ExportEntry::getExportName)
                .forEach(name -> names.add(name.toJavaStringUncached()));
        for (ExportEntry star : module.getStarExportEntries()) {
            Set<String> further = new TreeSet<>();
            collect(specifier(star.getModuleRequest()), further, seen);
            further.remove(DEFAULT);
            names.addAll(further);
        }
    }

    private @Nullable Module module(String id) {
        Library library = libraries.get(id);
        try {
            return library == null ? null : tree(library).getModule();
        } catch (ParserException e) {
            return null;
        }
    }

    static String missing(String specifier) {
        return Library.isId(specifier)
                ? "There is no library %s".formatted(specifier)
                : "Imports come from libraries, such as 'money@1.0.0', and not from '%s'".formatted(specifier);
    }

    String notExported(String id, String name) {
        return "The library %s does not export %s; it exports %s".formatted(id, name, String.join(", ", exports(id)));
    }
}
