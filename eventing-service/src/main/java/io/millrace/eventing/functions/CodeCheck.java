package io.millrace.eventing.functions;

import java.util.List;

/** Looks at handler code without running it. */
@FunctionalInterface
interface CodeCheck {

    /** @param line where in the user's code, from 1; 0 when there is no place */
    record Mistake(String message, int line, int column) {}

    /** Returns everything that is wrong with the code, in the order of the code. Blocks. */
    List<Mistake> check(FunctionDefinition definition);
}
