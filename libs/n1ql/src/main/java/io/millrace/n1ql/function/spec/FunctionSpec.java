package io.millrace.n1ql.function.spec;

import io.millrace.n1ql.value.Value;
import java.util.Map;

/**
 * A function.
 *
 * @param maxArgs {@link #MANY} if the function has no limit of its own
 * @param stable whether the same arguments always give the same result
 */
public record FunctionSpec(
        String name, int minArgs, int maxArgs, boolean stable, boolean aggregate, boolean window, Body body) {

    /** The most arguments of any function. */
    public static final int MANY = 32767;

    /** The longest array that a function may generate, in elements. */
    public static final int MAX_ELEMENTS = 1 << 20;

    /** Computes the result of a call. */
    @FunctionalInterface
    public interface Body {
        Value apply(Value[] args, FunctionContext context);
    }

    /** Collects functions by name; each family of functions has a method that registers its own. */
    public static final class Registrar {

        private final Map<String, FunctionSpec> functions;

        /** @param functions receives each function under each of its names, which are in lower case */
        public Registrar(Map<String, FunctionSpec> functions) {
            this.functions = functions;
        }

        public void add(int minArgs, int maxArgs, Body body, String... names) {
            put(new FunctionSpec(names[0], minArgs, maxArgs, true, false, false, body), names);
        }

        /** Adds a function whose result may differ for the same arguments. */
        public void addUnstable(int minArgs, int maxArgs, Body body, String... names) {
            put(new FunctionSpec(names[0], minArgs, maxArgs, false, false, false, body), names);
        }

        public void addAggregate(int minArgs, int maxArgs, boolean window, String... names) {
            put(new FunctionSpec(names[0], minArgs, maxArgs, false, true, window, Registrar::noValue), names);
        }

        public void addWindow(int minArgs, int maxArgs, String... names) {
            put(new FunctionSpec(names[0], minArgs, maxArgs, false, false, true, Registrar::noValue), names);
        }

        private static Value noValue(Value[] args, FunctionContext context) {
            throw new IllegalStateException("An aggregate is computed over rows and cannot be called");
        }

        private void put(FunctionSpec spec, String... names) {
            for (String name : names) {
                if (functions.put(name, spec) != null) {
                    throw new IllegalStateException("Two functions are named " + name);
                }
            }
        }
    }
}
