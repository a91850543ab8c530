package io.millrace.eventing.functions;

import io.millrace.handler.HandlerRejected;
import io.millrace.handler.SyntaxCheck;
import java.util.Optional;

/** The handler library's check: the same that decides in a worker whether the code can run. */
final class HandlerCodeCheck implements CodeCheck, AutoCloseable {

    private final SyntaxCheck check = new SyntaxCheck();

    @Override
    public Optional<Mistake> check(FunctionDefinition definition) {
        SyntaxCheck.Result result = check.check(
                definition.name().name(),
                definition.code(),
                definition.settings().lines(Setting.HANDLER_HEADERS),
                definition.settings().lines(Setting.HANDLER_FOOTERS));
        return switch (result) {
            case SyntaxCheck.Accepted accepted -> Optional.empty();
            case HandlerRejected(String message, int line, int column) ->
                Optional.of(new Mistake(message, line, column));
        };
    }

    @Override
    public void close() {
        check.close();
    }
}
