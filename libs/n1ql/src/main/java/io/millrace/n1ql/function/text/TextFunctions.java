package io.millrace.n1ql.function.text;

import io.millrace.n1ql.function.spec.FunctionSpec;

/** All functions of strings. */
public final class TextFunctions {

    private TextFunctions() {}

    public static void register(FunctionSpec.Registrar registrar) {
        StringFunctions.register(registrar);
        MultibyteFunctions.register(registrar);
        RegexpFunctions.register(registrar);
        TokenFunctions.register(registrar);
    }
}
