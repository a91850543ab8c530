package io.millrace.eventing.definition;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The full name of a function: a name within a function scope. Most functions live in the scope {@code *}.{@code *},
 * where the full name is the name alone.
 */
public record FunctionName(String bucket, String scope, String name) {

    /** The longest name of a function, in characters. */
    public static final int MAX_CHARS = 100;

    /** In place of a bucket and a scope: the function belongs to none. */
    public static final String ANY = "*";

    static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");
    private static final Pattern SCOPE_PART = Pattern.compile("[a-zA-Z0-9_][a-zA-Z0-9_.%-]*");

    /** Fails with ERR_INVALID_CONFIG when a part breaks the rules for names. */
    public FunctionName {
        if (name.isEmpty()) {
            throw FunctionsException.invalidConfig("appname is required: the name of the function.");
        }
        if (name.length() > MAX_CHARS) {
            throw FunctionsException.invalidConfig(
                    "Function name has %d characters, at most %d are allowed.".formatted(name.length(), MAX_CHARS));
        }
        if (!NAME.matcher(name).matches()) {
            throw FunctionsException.invalidConfig(
                    "Function name '%s' is invalid: it must start with a letter or digit and contain only letters, digits, '_' and '-'."
                            .formatted(name));
        }
        if (ANY.equals(bucket) != ANY.equals(scope)) {
            throw FunctionsException.invalidConfig("function_scope needs both bucket and scope, or '*' for both.");
        }
        if (!ANY.equals(bucket)
                && !(SCOPE_PART.matcher(bucket).matches()
                        && SCOPE_PART.matcher(scope).matches())) {
            throw FunctionsException.invalidConfig(
                    "function_scope '%s'.'%s' is not a valid bucket and scope.".formatted(bucket, scope));
        }
    }

    /** Returns the name of a function that belongs to no bucket's scope. */
    public static FunctionName of(String name) {
        return new FunctionName(ANY, ANY, name);
    }

    /** Returns the name in a scope; a missing part stands for {@code *}. */
    public static FunctionName of(@Nullable String bucket, @Nullable String scope, String name) {
        return new FunctionName(orAny(bucket), orAny(scope), name);
    }

    private static String orAny(@Nullable String part) {
        return part == null || part.isEmpty() ? ANY : part;
    }

    /** Returns {@code name}, or {@code bucket/scope/name}: what lists, logs and statistics show. */
    @Override
    public String toString() {
        return ANY.equals(bucket) ? name : bucket + '/' + scope + '/' + name;
    }
}
