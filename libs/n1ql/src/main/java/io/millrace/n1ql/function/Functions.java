package io.millrace.n1ql.function;

import io.millrace.n1ql.function.date.DateFunctions;
import io.millrace.n1ql.function.object.ObjectFunctions;
import io.millrace.n1ql.function.spec.FunctionSpec;
import io.millrace.n1ql.function.text.TextFunctions;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The registry of functions. Names are case-insensitive; many functions have several. */
public final class Functions {

    private static final Map<String, FunctionSpec> REGISTRY = new HashMap<>();

    static {
        FunctionSpec.Registrar registrar = new FunctionSpec.Registrar(REGISTRY);
        OperatorFunctions.register(registrar);
        NumberFunctions.register(registrar);
        ConditionalFunctions.register(registrar);
        TypeFunctions.register(registrar);
        TextFunctions.register(registrar);
        CompressionFunctions.register(registrar);
        ArrayFunctions.register(registrar);
        ArraySetFunctions.register(registrar);
        ObjectFunctions.register(registrar);
        JsonFunctions.register(registrar);
        BitFunctions.register(registrar);
        HashFunctions.register(registrar);
        DateFunctions.register(registrar);
        SystemFunctions.register(registrar);
        AggregateNames.register(registrar);
    }

    private Functions() {}

    /** Returns the function, or null if it does not exist. */
    public static @Nullable FunctionSpec find(String name) {
        return REGISTRY.get(name.toLowerCase(Locale.ROOT));
    }

    public static boolean isAggregate(String name) {
        FunctionSpec spec = find(name);
        return spec != null && spec.aggregate();
    }

    /** Returns all names. */
    public static Set<String> names() {
        return new TreeSet<>(REGISTRY.keySet());
    }
}
