package io.millrace.eventing.functions;

import java.util.Optional;

/** Looks at handler code without running it. */
@FunctionalInterface
interface CodeCheck {

    /** @param line where in the user's code, from 1; 0 when there is no place */
    record Mistake(String message, int line, int column) {}

    /** Returns what is wrong with the code, or nothing. Blocks. */
    Optional<Mistake> check(FunctionDefinition definition);
}
