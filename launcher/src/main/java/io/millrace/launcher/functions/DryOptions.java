package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The options of {@code fn run} that need a running suite. */
final class DryOptions {

    @Option(
            names = "--dry",
            description = "runs a function of the running suite on its documents; nothing takes effect. --letter,"
                    + " --event, --last, --version, --draft, --compare and --record need it")
    private boolean dry;

    @Mixin
    private Code code = new Code();

    @Option(names = "--last", paramLabel = "N", description = "the last changes of the source, 1 to 1000")
    private @Nullable Integer last;

    @Option(names = "--compare", paramLabel = "N", description = "shows only what version N does differently")
    private @Nullable Long compare;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "sends GET and HEAD requests, runs statements of sql that read, and writes the answers into a"
                    + " file for --given")
    private @Nullable Path record;

    /** Returns whether a suite runs the function; fails when other options need that. */
    boolean chosen() {
        if (!dry && (code.given() || last != null || compare != null || record != null)) {
            throw new LauncherException(
                    "--letter, --event, --last, --version, --draft, --compare and --record work with --dry only");
        }
        return dry;
    }

    /** Returns whether the options name what is handled. */
    boolean namesChanges() {
        return code.namesChange() || last != null;
    }

    void describe(ObjectNode request) {
        code.describe(request);
        if (last != null) {
            request.put("last", last);
        }
        if (compare != null) {
            request.putObject("compare").put("version", compare);
        }
        if (record != null) {
            request.put("record", true);
        }
    }

    /**
     * Writes recorded answers where they are wanted, and returns what is to be said about them.
     *
     * @param given what was given to the dry run; the file has it too
     * @param recorded {@code responses}, {@code sql} and {@code left_out}
     */
    Optional<String> write(JsonNode given, JsonNode recorded) {
        if (record == null) {
            return Optional.empty();
        }
        ObjectNode all = (ObjectNode) given.deepCopy();
        int count = 0;
        for (String kind : List.of("responses", "sql")) {
            ArrayNode answers = JsonNodeFactory.instance.arrayNode();
            given.path(kind).forEach(answers::add);
            recorded.path(kind).forEach(answers::add);
            count += recorded.path(kind).size();
            all.set(kind, answers);
        }
        try {
            Files.writeString(record, FunctionDirectory.text(all));
        } catch (IOException e) {
            throw new LauncherException(record + " cannot be written: " + e.getMessage(), e);
        }
        StringBuilder said = new StringBuilder("%d answers are recorded in %s".formatted(count, record));
        recorded.path("left_out")
                .forEach(what -> said.append("\nnot recorded: ").append(what.asString()));
        return Optional.of(said.toString());
    }

    /** What else runs a function of a running suite without effects has these as well: a dead letter, an event, and which code. */
    static final class Code {

        @Option(names = "--letter", paramLabel = "NAME", description = "a dead letter in place of a document")
        private @Nullable String letter;

        @Option(
                names = "--event",
                paramLabel = "STREAM/INDEX",
                description = "an event of a stream, for a function that handles events")
        private @Nullable String event;

        @Option(
                names = {"-v", "--version"},
                paramLabel = "N",
                description = "a version of the function (default: what is saved)")
        private @Nullable Long version;

        @Option(names = "--draft", paramLabel = "DIR", description = "a directory: its code, bindings and settings")
        private @Nullable Path draft;

        /** Returns whether one of them is given. */
        boolean given() {
            return letter != null || event != null || version != null || draft != null;
        }

        boolean namesChange() {
            return letter != null || event != null;
        }

        void describe(ObjectNode request) {
            if (letter != null) {
                request.put("letter", letter);
            }
            if (event != null) {
                int end = event.lastIndexOf('/');
                if (end < 0 || !event.substring(end + 1).matches("\\d{1,16}")) {
                    throw new LauncherException("--event needs a stream and an index, such as Cart-7/3, not " + event);
                }
                request.putObject("event")
                        .put("stream", event.substring(0, end))
                        .put("index", Long.parseLong(event.substring(end + 1)));
            }
            if (version != null) {
                request.put("version", version);
            }
            if (draft != null) {
                request.set("definition", new FunctionDirectory(draft).definition());
            }
        }
    }
}
