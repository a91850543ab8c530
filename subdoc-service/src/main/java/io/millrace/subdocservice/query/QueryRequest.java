package io.millrace.subdocservice.query;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.QueryOptions;
import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.StringValue;
import io.millrace.n1ql.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request. A field {@code $x} or {@code @x} is a named parameter.
 *
 * @param statement the text, or null if {@code prepared} names one
 * @param metrics whether the response has metrics
 * @param autoExecute whether a statement that PREPARE prepares is run at once
 * @param profile how much the response says of the run
 * @param unheeded what the request asks for in vain, in sentences
 */
record QueryRequest(
        @Nullable String statement,
        @Nullable String prepared,
        QueryOptions options,
        boolean metrics,
        boolean signature,
        boolean autoExecute,
        Profile profile,
        List<String> unheeded) {

    /** How much a response says of its run. */
    enum Profile {
        OFF,
        PHASES,
        TIMINGS
    }

    /** Fields of Couchbase that promise something which does not happen, unless they have a value that asks for nothing. */
    private static final Set<String> UNHEEDED = Set.of(
            "durability_level",
            "memory_quota",
            "error_limit",
            "format",
            "encoding",
            "compression",
            "use_fts",
            "use_replica",
            "kvtimeout",
            "natural",
            "sort_projection",
            "txdata",
            "txtimeout",
            "txstmtnum",
            "numatrs",
            "atrcollection");

    private static final Set<String> NOTHING =
            Set.of("", "none", "off", "unset", "false", "0", "json", "utf-8", "null");

    /** Fields of Couchbase that tune its engine and have no effect. */
    private static final Set<String> IGNORED = Set.of(
            "encoded_plan",
            "namespace",
            "pretty",
            "scan_vector",
            "scan_vectors",
            "scan_wait",
            "scan_cap",
            "creds",
            "max_parallelism",
            "pipeline_cap",
            "pipeline_batch",
            "controls",
            "auto_prepare",
            "use_cbo",
            "client",
            "n1ql_feat_ctrl",
            "preserve_signature",
            "duration_style",
            "log_level");

    private static final Set<String> CONSISTENCIES = Set.of("not_bounded", "at_plus", "request_plus", "statement_plus");

    /**
     * Reads the fields of a request.
     *
     * @param texts whether all values are strings, as in a form, and values of other types are JSON in them
     * @throws QueryException that says which field is wrong
     */
    static QueryRequest of(Map<String, Value> fields, boolean texts) {
        Reader reader = new Reader(texts);
        fields.forEach(reader::read);
        if (reader.statement == null && reader.prepared == null) {
            throw QueryException.of(ErrorCode.MISSING_STATEMENT, "No statement or prepared value");
        }
        return new QueryRequest(
                reader.statement,
                reader.prepared,
                reader.options.withNamed(reader.named),
                reader.metrics,
                reader.signature,
                reader.autoExecute,
                reader.profile,
                List.copyOf(reader.unheeded));
    }

    QueryRequest readonly() {
        return new QueryRequest(
                statement, prepared, options.withReadonly(true), metrics, signature, autoExecute, profile, unheeded);
    }

    /** Returns the request as if it had named a statement that is prepared now. */
    QueryRequest ofPrepared(String name) {
        return new QueryRequest(statement, name, options, metrics, signature, false, profile, unheeded);
    }

    /** Returns what stands for a request that could not be read. */
    static QueryRequest unreadable() {
        return new QueryRequest("", null, QueryOptions.DEFAULT, true, false, false, Profile.OFF, List.of());
    }

    private static final class Reader {

        private final boolean texts;
        private final Map<String, Value> named = new HashMap<>();
        private QueryOptions options = QueryOptions.DEFAULT.withTimeout(QueryLimits.DEFAULT_TIMEOUT);
        private @Nullable String statement;
        private @Nullable String prepared;
        private boolean metrics = true;
        private boolean signature = true;
        private boolean autoExecute;
        private Profile profile = Profile.OFF;
        private final List<String> unheeded = new ArrayList<>();

        Reader(boolean texts) {
            this.texts = texts;
        }

        void read(String field, Value value) {
            if (field.length() > 1 && (field.charAt(0) == '$' || field.charAt(0) == '@')) {
                named.put(field.substring(1), json(field, value));
                return;
            }
            switch (field.toLowerCase(Locale.ROOT)) {
                case "statement" -> statement = text(field, value);
                case "prepared" -> prepared = text(field, value);
                case "args" -> options = options.withPositional(args(field, json(field, value)));
                case "timeout" -> options = options.withTimeout(duration(field, value));
                case "readonly" -> options = options.withReadonly(flag(field, value));
                case "preserve_expiry" -> options = options.withPreserveExpiry(flag(field, value));
                case "client_context_id" -> options = options.withClientContextId(text(field, value));
                case "query_context" -> options = options.withQueryContext(context(field, text(field, value)));
                case "metrics" -> metrics = flag(field, value);
                case "tximplicit" -> options = options.withAtomic(flag(field, value));
                case "txid" -> throw refusedTransaction();
                case "signature" -> signature = flag(field, value);
                case "auto_execute" -> autoExecute = flag(field, value);
                case "profile" -> profile(field, text(field, value));
                case "scan_consistency" -> {
                    if (!CONSISTENCIES.contains(text(field, value).toLowerCase(Locale.ROOT))) {
                        throw badValue(field, value);
                    }
                }
                default -> {
                    if (UNHEEDED.contains(field.toLowerCase(Locale.ROOT))) {
                        unheeded(field, value);
                    } else if (!IGNORED.contains(field.toLowerCase(Locale.ROOT))) {
                        throw QueryException.of(
                                ErrorCode.UNKNOWN_PARAMETER, "Unrecognized parameter in request: " + field);
                    }
                }
            }
        }

        private void profile(String field, String wanted) {
            profile = switch (wanted.toLowerCase(Locale.ROOT)) {
                case "off" -> Profile.OFF;
                case "phases" -> Profile.PHASES;
                case "timings" -> Profile.TIMINGS;
                default -> throw badValue(field, Value.of(wanted));
            };
            options = options.withProfiled(profile != Profile.OFF);
        }

        /** A client that gets no error believes that it can still roll back. */
        private static QueryException refusedTransaction() {
            return QueryException.of(
                    ErrorCode.NO_TRANSACTIONS,
                    "txid is not possible: a transaction does not last from one request to the next. Send its statements in one"
                            + " request, BEGIN WORK; statements; COMMIT, or a single one with tximplicit. Nothing was run.");
        }

        private Value json(String field, Value value) {
            if (!texts || !(value instanceof StringValue text)) {
                return value;
            }
            Value parsed = Json.parse(text.text());
            if (parsed == null) {
                throw badValue(field, value);
            }
            return parsed;
        }

        private static List<Value> args(String field, Value value) {
            if (!(value instanceof ArrayValue array)) {
                throw type(field, "an array", value);
            }
            return array.items();
        }

        private static String text(String field, Value value) {
            if (!(value instanceof StringValue text)) {
                throw type(field, "a string", value);
            }
            return text.text();
        }

        private boolean flag(String field, Value value) {
            Value flag = json(field, value);
            if (flag != Value.TRUE && flag != Value.FALSE) {
                throw type(field, "a boolean", value);
            }
            return flag.truth();
        }

        private static Duration duration(String field, Value value) {
            Duration duration = value instanceof NumberValue seconds
                    ? Durations.ofSeconds(seconds.doubleValue())
                    : Durations.parse(text(field, value));
            if (duration == null) {
                throw badValue(field, value);
            }
            return duration.isNegative() ? Duration.ZERO : duration;
        }

        /** {@code default:bucket.scope}, with or without backticks. A bucket without a scope has no effect. */
        private static @Nullable QueryContext context(String field, String text) {
            String path = text.startsWith("default:") ? text.substring("default:".length()) : text;
            if (path.isEmpty()) {
                return null;
            }
            String[] parts = path.startsWith("`") ? path.split("`\\.`|`\\.|\\.`", -1) : path.split("\\.", -1);
            if (parts.length != 2) {
                throw badValue(field, Value.of(text));
            }
            return new QueryContext(parts[0].replace("`", ""), parts[1].replace("`", ""));
        }

        private void unheeded(String field, Value value) {
            String text = value instanceof StringValue string ? string.text() : value.toJson();
            if (!NOTHING.contains(text.toLowerCase(Locale.ROOT))) {
                unheeded.add("The field %s of the request has no effect.".formatted(field));
            }
        }

        private static QueryException badValue(String field, Value value) {
            return QueryException.of(ErrorCode.BAD_VALUE, "Error processing " + field + " - cause: bad value " + value);
        }

        private static QueryException type(String field, String wanted, Value value) {
            return QueryException.of(
                    ErrorCode.PARAMETER_TYPE,
                    field + " has to be " + wanted + ", not " + value.type().label());
        }
    }
}
