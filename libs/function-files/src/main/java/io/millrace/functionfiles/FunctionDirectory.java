package io.millrace.functionfiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A function in a directory: {@value #CODE} or {@value #TYPESCRIPT}, {@value #DEFINITION} (Couchbase's definition without the code), cases in
 * {@value #TESTS}, and maybe the libraries that it imports in {@value #LIBRARIES}. Reading fails with {@link FunctionFilesException}, which names the file and what to do.
 *
 * @param path the directory
 */
public record FunctionDirectory(Path path) {

    /** The file with the JavaScript. */
    public static final String CODE = "handler.js";

    /** The file with the TypeScript of a function that is not written in JavaScript. */
    public static final String TYPESCRIPT = "handler.ts";

    /** The file with bindings and settings. */
    public static final String DEFINITION = "function.json";

    /** The directory with the tests. */
    public static final String TESTS = "tests";

    /** The directory with the libraries that the code imports, each in a file {@code NAME@VERSION.js}. */
    public static final String LIBRARIES = "libraries";

    /** The file with the types of the language and of the bindings, for editors. */
    public static final String TYPES = "millrace.d.ts";

    /** The files that editors read, which say nothing more about the function. */
    private static final Set<String> FOR_EDITORS =
            Set.of("millrace.d.ts", "function.schema.json", "jsconfig.json", "tsconfig.json");

    /** The file with the JSON schema of {@value #DEFINITION}, for editors and for checks in CI. */
    public static final String SCHEMA = "function.schema.json";

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** What a server adds to a definition, what changes without a save, and what has files of its own. */
    private static final List<String> VOLATILE =
            List.of("appcode", "handleruuid", "function_instance_id", "version", "libraries");

    private static final String JAVASCRIPT = ".js";

    private static final String SCHEMA_MEMBER = "$schema";

    private static final String LANGUAGE = "language";

    private static final List<String> LIFECYCLE = List.of("deployment_status", "processing_status");

    /** Returns whether a directory holds a function. */
    public static boolean isAt(Path path) {
        return Files.isRegularFile(path.resolve(DEFINITION));
    }

    /** Returns the functions directly below a directory, in the order of their names. */
    public static List<FunctionDirectory> below(Path parent) {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.filter(FunctionDirectory::isAt)
                    .sorted()
                    .map(FunctionDirectory::new)
                    .toList();
        } catch (IOException e) {
            throw unreadable(parent, e);
        }
    }

    /** Returns the sentence for directories without a function below them. */
    public static String noneBelow(Collection<Path> parents) {
        return "No directory below "
                + parents.stream().map(Path::toString).collect(Collectors.joining(" or "))
                + " has a " + DEFINITION;
    }

    /** The message of Java is the name again where there is no such file. */
    private static FunctionFilesException unreadable(Path path, IOException e) {
        return new FunctionFilesException(
                e instanceof NoSuchFileException
                        ? path + " does not exist"
                        : path + " cannot be read: " + e.getMessage(),
                e);
    }

    /** Writes a function to a directory that is empty or does not exist. */
    public static FunctionDirectory create(Path path, String code, JsonNode definition, JsonNode tests) {
        FunctionDirectory directory = new FunctionDirectory(path);
        try {
            if (Files.exists(path)) {
                try (Stream<Path> entries = Files.list(path)) {
                    if (entries.findAny().isPresent()) {
                        throw new FunctionFilesException(path + " exists and is not empty; choose another directory");
                    }
                }
            }
            directory.write(code, definition);
            if (!tests.isEmpty()) {
                Files.createDirectories(path.resolve(TESTS));
                Files.writeString(path.resolve(TESTS).resolve("handler.json"), text(tests));
            }
            return directory;
        } catch (IOException e) {
            throw new FunctionFilesException(path + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Returns a definition as {@value #DEFINITION} has it: without the code and what a server adds. */
    public static ObjectNode kept(JsonNode definition) {
        ObjectNode kept = JSON.createObjectNode().put(SCHEMA_MEMBER, "./" + SCHEMA);
        kept.setAll((ObjectNode) definition.deepCopy());
        kept.remove(VOLATILE);
        if (kept.path("settings") instanceof ObjectNode settings) {
            settings.remove(LIFECYCLE);
        }
        if (kept.at("/function_scope/bucket").asString("*").equals("*")) {
            kept.remove("function_scope");
        }
        return kept;
    }

    /** Replaces code and definition; what a server adds to a definition is left out. */
    public void write(String code, JsonNode definition) {
        ObjectNode kept = kept(definition);
        try {
            Files.createDirectories(path);
            String file = codeFile(kept);
            Files.writeString(path.resolve(file), code);
            Files.deleteIfExists(path.resolve(file.equals(CODE) ? TYPESCRIPT : CODE));
            Files.writeString(path.resolve(DEFINITION), text(kept));
        } catch (IOException e) {
            throw new FunctionFilesException(path + " cannot be written: " + e.getMessage(), e);
        }
    }

    /**
     * Writes what editors read: the types of the language and of the function's bindings ({@value #TYPES} and jsconfig.json or
     * tsconfig.json), and {@value #SCHEMA}.
     */
    public void writeEditorFiles() {
        try {
            Files.writeString(path.resolve(TYPES), Types.declaration(definition()));
            Files.writeString(path.resolve(SCHEMA), Templates.text(SCHEMA));
            String configuration = codeFile().equals(TYPESCRIPT) ? "tsconfig.json" : "jsconfig.json";
            if (!Files.exists(path.resolve(configuration))) {
                Files.writeString(path.resolve(configuration), Templates.text(configuration));
            }
        } catch (IOException e) {
            throw new FunctionFilesException(path + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Returns JSON as these files have it. */
    public static String text(JsonNode json) {
        return JSON.writeValueAsString(json) + "\n";
    }

    /** Returns the definition with the code in it, as the service takes it. */
    public ObjectNode definition() {
        JsonNode json = read(path.resolve(DEFINITION));
        if (!(json instanceof ObjectNode definition)) {
            throw new FunctionFilesException(path.resolve(DEFINITION) + " must be a JSON object");
        }
        if (definition.path("appname").asString("").isEmpty()) {
            throw new FunctionFilesException(
                    path.resolve(DEFINITION) + " has no appname; add the name of the function");
        }
        ObjectNode complete = definition.deepCopy();
        complete.remove(SCHEMA_MEMBER);
        if (codeFile().equals(TYPESCRIPT)) {
            complete.withObject("/settings").put(LANGUAGE, "typescript");
        }
        return complete.put("appcode", code());
    }

    /**
     * Returns whether a path within the directory of a function is one of the files that do not make its definition: tests,
     * libraries, and what editors read.
     */
    public static boolean isOther(String path) {
        return FOR_EDITORS.contains(path) || path.startsWith(TESTS + '/') || path.startsWith(LIBRARIES + '/');
    }

    /**
     * Returns the name of the directory of a function among those of others.
     *
     * @param definition with its name and maybe its function scope
     */
    public static String nameOf(JsonNode definition) {
        String name = definition.path("appname").asString("");
        String bucket = definition.at("/function_scope/bucket").asString("*");
        return bucket.equals("*") || bucket.isEmpty()
                ? name
                : bucket + '.' + definition.at("/function_scope/scope").asString("*") + '.' + name;
    }

    /** Returns the path of a library within the directory of a function. @param id {@code NAME@VERSION} */
    public static String libraryFile(String id) {
        return LIBRARIES + '/' + id + JAVASCRIPT;
    }

    /** Returns which library a path within the directory of a function is the file of, nothing if it is of none. */
    public static Optional<String> libraryOf(String path) {
        return path.startsWith(LIBRARIES + '/') && path.endsWith(JAVASCRIPT) && path.indexOf('@') > 0
                ? Optional.of(path.substring(LIBRARIES.length() + 1, path.length() - JAVASCRIPT.length()))
                : Optional.empty();
    }

    /** Returns the name of the file for the code of a definition. */
    public static String codeFile(JsonNode definition) {
        boolean typescript =
                definition.path("settings").path(LANGUAGE).asString("").equals("typescript");
        return typescript ? TYPESCRIPT : CODE;
    }

    /** Returns the name of the file with the code: {@value #TYPESCRIPT} where there is one, else {@value #CODE}. */
    public String codeFile() {
        boolean typescript = Files.exists(path.resolve(TYPESCRIPT));
        if (typescript && Files.exists(path.resolve(CODE))) {
            throw new FunctionFilesException(
                    path + " has both " + TYPESCRIPT + " and " + CODE + "; delete one of them");
        }
        return typescript ? TYPESCRIPT : CODE;
    }

    /** Returns the code, JavaScript or TypeScript. */
    public String code() {
        return text(path.resolve(codeFile()));
    }

    /** Reads a file of text. */
    public static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Returns the code of the libraries in {@value #LIBRARIES}, by {@code NAME@VERSION}. */
    public SortedMap<String, String> libraries() {
        SortedMap<String, String> libraries = new TreeMap<>();
        for (Path file : files(LIBRARIES, JAVASCRIPT)) {
            String name = file.getFileName().toString();
            libraries.put(name.substring(0, name.length() - JAVASCRIPT.length()), text(file));
        }
        return libraries;
    }

    /** Writes libraries to {@value #LIBRARIES}. @param libraries their code, by {@code NAME@VERSION} */
    public void writeLibraries(Map<String, String> libraries) {
        Path directory = path.resolve(LIBRARIES);
        try {
            for (Map.Entry<String, String> library : libraries.entrySet()) {
                Files.createDirectories(directory);
                Files.writeString(path.resolve(libraryFile(library.getKey())), library.getValue());
            }
        } catch (IOException e) {
            throw new FunctionFilesException(directory + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Returns the files with tests, JSON or modules that compute it, in the order of their names. */
    public List<Path> tests() {
        return Stream.concat(files(TESTS, ".json").stream(), files(TESTS, JAVASCRIPT).stream())
                .sorted()
                .toList();
    }

    private List<Path> files(String name, String ending) {
        Path directory = path.resolve(name);
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a file of JSON. */
    public static JsonNode read(Path file) {
        try {
            return JSON.readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw unreadable(file, e);
        } catch (JacksonException e) {
            throw new FunctionFilesException(
                    "%s is not valid JSON (line %d): %s"
                            .formatted(
                                    file,
                                    e.getLocation() == null
                                            ? 0
                                            : e.getLocation().getLineNr(),
                                    e.getOriginalMessage()),
                    e);
        }
    }
}
