package io.millrace.eventing.functions;

import io.millrace.handler.HandlerRejected;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.LanguageCompatibility;
import io.millrace.handler.SyntaxCheck;
import java.time.Duration;
import java.util.List;

/** The handler library's check: the same that decides in a worker whether the code can run. */
final class HandlerCodeCheck implements CodeCheck, AutoCloseable {

    private final SyntaxCheck check = new SyntaxCheck();

    @Override
    public List<Mistake> check(FunctionDefinition definition) {
        return switch (check.check(spec(definition))) {
            case SyntaxCheck.Accepted accepted -> List.of();
            case HandlerRejected rejected ->
                rejected.mistakes().stream()
                        .map(mistake -> new Mistake(mistake.message(), mistake.line(), mistake.column()))
                        .toList();
        };
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
                definition.deployment().constants().stream()
                        .map(binding -> new HandlerSpec.Constant(binding.alias(), binding.literal()))
                        .toList(),
                List.of());
    }

    @Override
    public void close() {
        check.close();
    }
}
