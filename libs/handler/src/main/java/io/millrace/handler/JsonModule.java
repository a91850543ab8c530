package io.millrace.handler;

import io.millrace.handler.sandbox.Sandbox;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;

/**
 * A JavaScript module that computes a value: its default export, as JSON. It can import libraries, and reaches nothing else of
 * the machine.
 *
 * @param name the name of its file
 */
public record JsonModule(String name, String code) {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** What a module gave. */
    public sealed interface Result {

        /** @param text the value as JSON */
        record Json(String text) implements Result {}

        /**
         * There is no value.
         *
         * @param line from 1, 0 if no line is to blame; {@code column} likewise
         */
        record Mistake(String message, int line, int column) implements Result {}
    }

    /** Runs the module in a context of its own. */
    public Result run(HandlerEngine engine, List<Library> libraries) {
        return HandlerEngine.onBigStack("module-" + name, () -> {
            CompletableFuture<Void> done = new CompletableFuture<>();
            try (Context context = engine.context(libraries)) {
                done.orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).whenComplete((ended, late) -> {
                    if (late != null) {
                        context.close(true);
                    }
                });
                Value exported = context.eval(Sandbox.module(name, code)).getMember("default");
                if (exported == null) {
                    return new Result.Mistake("The module must have a default export: export default [...]", 0, 0);
                }
                Value json =
                        context.eval(Sandbox.script("json", "JSON.stringify")).execute(exported);
                return json.isString()
                        ? new Result.Json(json.asString())
                        : new Result.Mistake("The default export must be a value of JSON", 0, 0);
            } catch (PolyglotException e) {
                return mistake(e);
            } finally {
                done.complete(null);
            }
        });
    }

    private static Result mistake(PolyglotException e) {
        if (e.isCancelled()) {
            return new Result.Mistake("The module ran longer than %d s".formatted(TIMEOUT.toSeconds()), 0, 0);
        }
        SourceSection place = e.getSourceLocation();
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return place == null || !place.hasLines()
                ? new Result.Mistake(message, 0, 0)
                : new Result.Mistake(message, place.getStartLine(), place.getStartColumn());
    }
}
