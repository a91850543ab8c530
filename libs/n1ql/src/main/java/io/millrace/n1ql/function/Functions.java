package io.millrace.n1ql.function;

import io.millrace.n1ql.value.Value;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The registry of functions. Names are case-insensitive; many functions have several. */
public final class Functions {

    /** No statement passes more. */
    public static final int MANY = 32767;

    private static final Map<String, Spec> REGISTRY = new HashMap<>();

    static {
        Registrar registrar = new Registrar();
        OperatorFunctions.register(registrar);
        NumberFunctions.register(registrar);
        ConditionalFunctions.register(registrar);
        TypeFunctions.register(registrar);
        StringFunctions.register(registrar);
        CompressionFunctions.register(registrar);
        MultibyteFunctions.register(registrar);
        RegexpFunctions.register(registrar);
        TokenFunctions.register(registrar);
        ArrayFunctions.register(registrar);
        ArraySetFunctions.register(registrar);
        ObjectFunctions.register(registrar);
        ObjectPathFunctions.register(registrar);
        JsonFunctions.register(registrar);
        BitFunctions.register(registrar);
        HashFunctions.register(registrar);
        DateFunctions.register(registrar);
        DateRangeFunctions.register(registrar);
        SystemFunctions.register(registrar);
        AggregateNames.register(registrar);
    }

    private Functions() {}

    /** What a function does with its arguments. */
    @FunctionalInterface
    public interface Body {
        Value apply(Value[] args, FunctionContext context);
    }

    /**
     * A function.
     *
     * @param stable whether the same arguments give the same result whatever the request
     */
    public record Spec(
            String name, int minArgs, int maxArgs, boolean stable, boolean aggregate, boolean window, Body body) {}

    /** Returns the function, or null when there is none of this name. */
    public static @Nullable Spec find(String name) {
        return REGISTRY.get(name.toLowerCase(Locale.ROOT));
    }

    public static boolean isAggregate(String name) {
        Spec spec = find(name);
        return spec != null && spec.aggregate();
    }

    /** Returns all names. */
    public static Set<String> names() {
        return new TreeSet<>(REGISTRY.keySet());
    }

    /** Enters functions; each family has one method that is given this. */
    static final class Registrar {

        void add(int minArgs, int maxArgs, Body body, String... names) {
            put(new Spec(names[0], minArgs, maxArgs, true, false, false, body), names);
        }

        /** A function that gives different results for the same arguments. */
        void addUnstable(int minArgs, int maxArgs, Body body, String... names) {
            put(new Spec(names[0], minArgs, maxArgs, false, false, false, body), names);
        }

        void addAggregate(int minArgs, int maxArgs, boolean window, String... names) {
            put(new Spec(names[0], minArgs, maxArgs, false, true, window, Registrar::noValue), names);
        }

        void addWindow(int minArgs, int maxArgs, String... names) {
            put(new Spec(names[0], minArgs, maxArgs, false, false, true, Registrar::noValue), names);
        }

        private static Value noValue(Value[] args, FunctionContext context) {
            throw new IllegalStateException("computed over rows");
        }

        private static void put(Spec spec, String... names) {
            for (String name : names) {
                if (REGISTRY.put(name, spec) != null) {
                    throw new IllegalStateException("twice: " + name);
                }
            }
        }
    }
}
