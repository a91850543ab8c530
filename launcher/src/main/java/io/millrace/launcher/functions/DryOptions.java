package io.millrace.launcher.functions;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.launcher.LauncherException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The options of {@code fn run} that need a running suite. */
final class DryOptions {

    @Option(
            names = "--dry",
            description = "runs a function of the running suite on its documents; nothing takes effect")
    private boolean dry;

    @Option(names = "--letter", paramLabel = "NAME", description = "with --dry: a dead letter in place of a document")
    private @Nullable String letter;

    @Option(names = "--last", paramLabel = "N", description = "with --dry: the last changes of the source, 1 to 1000")
    private @Nullable Integer last;

    @Option(
            names = {"-v", "--version"},
            paramLabel = "N",
            description = "with --dry: a version of the function")
    private @Nullable Long version;

    @Option(names = "--draft", paramLabel = "DIR", description = "with --dry: the code of a directory")
    private @Nullable Path draft;

    @Option(
            names = "--compare",
            paramLabel = "N",
            description = "with --dry: shows only what version N does differently")
    private @Nullable Long compare;

    /** Returns whether a suite runs the function; fails when other options need that. */
    boolean chosen() {
        if (!dry && (letter != null || last != null || version != null || draft != null || compare != null)) {
            throw new LauncherException("--letter, --last, --version, --draft and --compare work with --dry only");
        }
        return dry;
    }

    /** Returns whether the options name what is handled. */
    boolean namesChanges() {
        return letter != null || last != null;
    }

    void describe(ObjectNode request) {
        if (letter != null) {
            request.put("letter", letter);
        }
        if (last != null) {
            request.put("last", last);
        }
        if (version != null) {
            request.put("version", version);
        }
        if (draft != null) {
            request.put("code", new FunctionDirectory(draft).code());
        }
        if (compare != null) {
            request.putObject("compare").put("version", compare);
        }
    }
}
