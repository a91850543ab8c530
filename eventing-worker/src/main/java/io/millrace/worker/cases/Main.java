package io.millrace.worker.cases;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.functionfiles.FunctionFilesException;
import io.millrace.handler.Handler;
import io.millrace.handler.HandlerEngine;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.JsonModule;
import io.millrace.handler.Library;
import io.millrace.worker.Exit;
import io.millrace.worker.HandlerCode;
import io.millrace.worker.bindings.QueryBinding;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tests functions: {@code java ... io.millrace.worker.cases.Main test DIR...}, or tries one on the steps that are read from
 * standard input: {@code ... run DIR}. Prints one line of JSON for each case, or for each mistake that prevents them.
 */
final class Main {

    private final HandlerEngine engine;
    private final PrintStream out;
    private final Exit exit;

    Main(HandlerEngine engine, PrintStream out, Exit exit) {
        this.engine = engine;
        this.out = out;
        this.exit = exit;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        System.setProperty("slf4j.internal.verbosity", "ERROR"); // there is no provider, and none is needed
        Logger.getLogger("").setLevel(Level.WARNING);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Exit exit = (why, message, cause) -> {
            out.println(mistake("", "", message, 0, 0));
            Runtime.getRuntime().halt(1);
        };
        boolean run = args[0].equals("run");
        JsonNode steps =
                run ? JsonMapper.shared().readTree(System.in.readAllBytes()) : JsonNodeFactory.instance.missingNode();
        HandlerEngine engine = HandlerEngine.start(
                QueryBinding::read, why -> Runtime.getRuntime().halt(1));
        Main program = new Main(engine, out, exit);
        Thread thread = HandlerEngine.newThread("cases", () -> {
            for (Path directory :
                    List.of(args).subList(1, args.length).stream().map(Path::of).toList()) {
                program.function(new FunctionDirectory(directory), steps);
            }
        });
        thread.start();
        thread.join();
        engine.close();
    }

    /** @param steps what to run in place of the tests of the directory, if anything */
    void function(FunctionDirectory directory, JsonNode steps) {
        try {
            JsonNode json = directory.definition();
            Definition definition = Definition.of(json, directory.libraries());
            String name = json.path("appname").asString();
            switch (engine.compile(HandlerCode.spec(definition.setup()))) {
                case HandlerRejected rejected ->
                    rejected.mistakes()
                            .forEach(mistake -> out.println(mistake(
                                    name, directory.codeFile(), mistake.message(), mistake.line(), mistake.column())));
                case Handler handler -> {
                    Cases cases = new Cases(engine, handler, definition, exit);
                    if (steps.isMissingNode()) {
                        List<Library> libraries = directory.libraries().entrySet().stream()
                                .map(library -> new Library(library.getKey(), library.getValue()))
                                .toList();
                        directory.tests().forEach(file -> test(name, file, libraries, cases));
                    } else {
                        cases.show(steps.path("given"), steps.path("when")).forEach(out::println);
                    }
                }
            }
        } catch (FunctionFilesException | MalformedCase | IllegalArgumentException e) {
            out.println(mistake(directory.path().toString(), "", String.valueOf(e.getMessage()), 0, 0));
        }
    }

    private void test(String function, Path file, List<Library> libraries, Cases cases) {
        String name = file.getFileName().toString();
        if (name.endsWith(".json")) {
            test(function, name, FunctionDirectory.read(file), cases);
            return;
        }
        switch (new JsonModule(name, FunctionDirectory.text(file)).run(engine, libraries)) {
            case JsonModule.Result.Mistake(String message, int line, int column) ->
                out.println(mistake(function, name, message, line, column));
            case JsonModule.Result.Json(String text) ->
                test(function, name, JsonMapper.shared().readTree(text), cases);
        }
    }

    private void test(String function, String file, JsonNode tests, Cases cases) {
        if (!tests.isArray() || tests.isEmpty()) {
            out.println(mistake(function, file, "must be an array of cases", 0, 0));
            return;
        }
        for (JsonNode test : tests) {
            ObjectNode line = JsonNodeFactory.instance
                    .objectNode()
                    .put("function", function)
                    .put("file", file);
            out.println(line.setAll(cases.run(test)));
        }
    }

    private static ObjectNode mistake(String function, String file, String message, int line, int column) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("function", function)
                .put("file", file)
                .put("mistake", message)
                .put("line", line)
                .put("column", column);
    }
}
