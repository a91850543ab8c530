package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The options of {@code fn run} that need a running suite. */
final class DryOptions {

    @Option(
            names = "--dry",
            description = "runs a function of the running suite on its documents; nothing takes effect. --letter,"
                    + " --event, --last, --version, --draft and --compare need it")
    private boolean dry;

    @Mixin
    private Code code = new Code();

    @Option(names = "--last", paramLabel = "N", description = "the last changes of the source, 1 to 1000")
    private @Nullable Integer last;

    @Option(names = "--compare", paramLabel = "N", description = "shows only what version N does differently")
    private @Nullable Long compare;

    /** Returns whether a suite runs the function; fails when other options need that. */
    boolean chosen() {
        if (!dry && (code.given() || last != null || compare != null)) {
            throw new LauncherException(
                    "--letter, --event, --last, --version, --draft and --compare work with --dry only");
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
