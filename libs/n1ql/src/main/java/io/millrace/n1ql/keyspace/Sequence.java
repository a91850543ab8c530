package io.millrace.n1ql.keyspace;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.value.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of 64-bit integers as the store has it. Processes reserve blocks of values, so values are unique over all of them
 * but not in the order of time. Immutable.
 *
 * @param min the least value, inclusive; {@code max} likewise
 * @param cycle whether values continue at the other end when they have reached one
 * @param cache how many values a block has at most
 * @param generation changes with the definition; a block of another generation must not be used
 * @param next the first value that is not reserved; null when there are none left
 */
public record Sequence(
        SequenceName name,
        long start,
        long increment,
        long min,
        long max,
        boolean cycle,
        long cache,
        String generation,
        @Nullable Long next) {

    /** The most values in a block: those that a process does not use are lost when it ends. */
    public static final long MOST_CACHED = 1_000_000;

    private static final long DEFAULT_CACHE = 50;

    public Sequence {
        require(increment != 0, "INCREMENT BY 0 would give the same value for ever; use 1 or -1");
        require(min < max, "MINVALUE %d must be less than MAXVALUE %d".formatted(min, max));
        require(
                start >= min && start <= max,
                "START WITH %d must be from MINVALUE %d to MAXVALUE %d".formatted(start, min, max));
        require(
                cache >= 1 && cache <= MOST_CACHED,
                "CACHE %d must be from 1 to %,d; NO CACHE is 1".formatted(cache, MOST_CACHED));
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw QueryException.of(ErrorCode.SEMANTICS, "Invalid options of a sequence: " + otherwise + ".");
        }
    }

    /** Some values that a process has reserved: {@code count} from {@code first} on, and the sequence without them. */
    public record Block(long first, long count, Sequence rest) {}

    /** Returns a new sequence; throws a {@link QueryException} if its options contradict each other. */
    public static Sequence of(SequenceName name, SequenceOptions options) {
        long increment = or(options.increment(), 1);
        long min = or(options.min(), Long.MIN_VALUE);
        long max = or(options.max(), Long.MAX_VALUE);
        long start = or(options.start(), min <= 0 && max >= 0 ? 0 : increment > 0 ? min : max);
        boolean cycle = Boolean.TRUE.equals(options.cycle());
        return new Sequence(
                name, start, increment, min, max, cycle, or(options.cache(), DEFAULT_CACHE), newGeneration(), start);
    }

    /** Returns the sequence with other options. Values continue behind those that are reserved, unless they restart. */
    public Sequence with(SequenceOptions options) {
        long started = or(options.start(), start);
        Sequence changed = new Sequence(
                name,
                started,
                or(options.increment(), increment),
                or(options.min(), min),
                or(options.max(), max),
                options.cycle() == null ? cycle : options.cycle(),
                or(options.cache(), cache),
                newGeneration(),
                options.restart() ? Long.valueOf(or(options.restartWith(), started)) : next);
        Long first = changed.next;
        require(
                !options.restart() || first != null && changed.holds(first),
                "RESTART WITH %d must be from MINVALUE %d to MAXVALUE %d".formatted(first, changed.min, changed.max));
        return changed;
    }

    private static long or(@Nullable Long value, long otherwise) {
        return value == null ? otherwise : value;
    }

    private static String newGeneration() {
        return UUID.randomUUID().toString();
    }

    /** Returns the options by their names, as statements and stored sequences spell them. */
    public Map<String, Value> options() {
        Map<String, Value> options = new LinkedHashMap<>();
        options.put("start", Value.of(start));
        options.put("increment", Value.of(increment));
        options.put("min", Value.of(min));
        options.put("max", Value.of(max));
        options.put("cycle", Value.of(cycle));
        options.put("cache", Value.of(cache));
        return options;
    }

    private boolean holds(long value) {
        return value >= min && value <= max;
    }

    /** Returns the next values, or null if there are none left. */
    public @Nullable Block reserve() {
        Long first = next != null && holds(next) ? next : cycle ? Long.valueOf(otherEnd()) : null;
        if (first == null) {
            return null;
        }
        long steps = increment > 0
                ? Long.divideUnsigned(max - first, increment)
                : Long.divideUnsigned(first - min, -increment);
        if (Long.compareUnsigned(steps, cache) >= 0) {
            return new Block(first, cache, withNext(first + cache * increment));
        }
        return new Block(first, steps + 1, withNext(cycle ? Long.valueOf(otherEnd()) : null));
    }

    private long otherEnd() {
        return increment > 0 ? min : max;
    }

    private Sequence withNext(@Nullable Long value) {
        return new Sequence(name, start, increment, min, max, cycle, cache, generation, value);
    }
}
