package io.millrace.eventing.functions;

import io.millrace.documents.Keyspace;
import io.millrace.eventing.definition.CodeCheck;
import io.millrace.eventing.definition.FunctionDefinition;
import io.millrace.eventing.definition.Setting;
import io.millrace.eventing.definition.Settings;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.HandlerSpec;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.QueryLanguage;
import io.millrace.handler.SyntaxCheck;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.StatementOutline;
import io.millrace.n1ql.keyspace.KeyspaceName;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Checks code with the handler library, as workers do before they run it. */
final class HandlerCodeCheck implements CodeCheck, AutoCloseable {

    private final SyntaxCheck check = new SyntaxCheck(HandlerCodeCheck::read);

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

    @Override
    public List<Keyspace> changed(FunctionDefinition definition) {
        return check.changed(spec(definition)).stream()
                .flatMap(path -> Stream.ofNullable(KeyspaceName.of(path, null)))
                .map(name -> new Keyspace(name.bucket(), name.scope(), name.collection()))
                .toList();
    }

    /**
     * Joins the handler library and the query library, which do not depend on each other; the worker has the same
     * lines.
     */
    private static QueryLanguage.Reading read(String text) {
        try {
            StatementOutline outline = StatementOutline.of(text);
            return new QueryLanguage.Statement(outline.parameters(), outline.select(), outline.targets());
        } catch (QueryException e) {
            return new QueryLanguage.Unreadable(
                    "N1QL " + e.description(), Math.max(1, e.line()), Math.max(1, e.column()));
        }
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
