package io.millrace.n1ql.plan;

import io.millrace.n1ql.function.Operators;
import io.millrace.n1ql.plan.spill.RowSizes;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.NumberValue;
import io.millrace.n1ql.value.Value;
import io.millrace.n1ql.value.ValueBytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Accumulators of aggregates. */
abstract class Aggregates {

    /** Bytes of a set besides its entries, of an entry of a list, and of a number as an object in a list. */
    private static final long SET = 144;

    private static final long REFERENCE = 8;
    private static final long BOXED = 24;

    /** Adds a value that is not MISSING; the caller has applied DISTINCT and FILTER. */
    abstract void add(Value value);

    abstract Value result();

    /** Returns about how many bytes of values are kept. */
    long kept() {
        return 0;
    }

    /** Creates an accumulator by name. {@code star} is COUNT(*). */
    static Aggregates of(String name, boolean star, boolean distinct) {
        Aggregates aggregate = switch (name) {
            case "count" -> new Count(value -> star || !value.isNull());
            case "countn" -> new Count(Value::isNumber);
            case "sum" -> new Sum();
            case "avg", "mean" -> new Average();
            case "min" -> new Extreme(-1);
            case "max" -> new Extreme(1);
            case "array_agg" -> new ArrayAgg();
            case "median" -> new Median();
            default -> new Spread(name, distinct);
        };
        return distinct ? new Distinct(aggregate) : aggregate;
    }

    private static final class Distinct extends Aggregates {

        private final Aggregates inner;
        private final Set<Value> known = new HashSet<>();
        private long kept;

        Distinct(Aggregates inner) {
            this.inner = inner;
        }

        @Override
        void add(Value value) {
            if (known.add(value)) {
                kept += RowSizes.entry(value) + (known.size() == 1 ? SET : 0);
                inner.add(value);
            }
        }

        @Override
        long kept() {
            return kept + inner.kept();
        }

        @Override
        Value result() {
            return inner.result();
        }
    }

    private static final class Count extends Aggregates {

        private final java.util.function.Predicate<Value> counted;
        private long count;

        Count(java.util.function.Predicate<Value> counted) {
            this.counted = counted;
        }

        @Override
        void add(Value value) {
            count += counted.test(value) ? 1 : 0;
        }

        @Override
        Value result() {
            return Value.of(count);
        }
    }

    private static final class Sum extends Aggregates {

        private Value sum = Value.NULL;

        @Override
        void add(Value value) {
            if (value.isNumber()) {
                sum = sum.isNull() ? value : Operators.add(sum, value);
            }
        }

        @Override
        Value result() {
            return sum;
        }
    }

    private static final class Average extends Aggregates {

        private final Sum sum = new Sum();
        private long count;

        @Override
        void add(Value value) {
            sum.add(value);
            count += value.isNumber() ? 1 : 0;
        }

        @Override
        Value result() {
            return sum.result() instanceof NumberValue total
                    ? NumberValue.integerIfExact(total.doubleValue() / count)
                    : Value.NULL;
        }
    }

    private static final class Extreme extends Aggregates {

        private final int sign;
        private Value best = Value.NULL;

        Extreme(int sign) {
            this.sign = sign;
        }

        @Override
        void add(Value value) {
            if (!value.isNull() && (best.isNull() || value.compareTo(best) * sign > 0)) {
                best = value;
            }
        }

        @Override
        Value result() {
            return best;
        }
    }

    private static final class ArrayAgg extends Aggregates {

        private final List<Value> items = new ArrayList<>(1); // many groups have one row
        private long kept;

        @Override
        void add(Value value) {
            items.add(value);
            kept += REFERENCE + ValueBytes.size(value);
        }

        @Override
        long kept() {
            return kept;
        }

        @Override
        Value result() {
            if (items.isEmpty()) {
                return Value.NULL;
            }
            Collections.sort(items);
            return ArrayValue.of(new ArrayList<>(items));
        }
    }

    private static final class Median extends Aggregates {

        private final List<Value> numbers = new ArrayList<>(1);

        @Override
        long kept() {
            return numbers.size() * (REFERENCE + ValueBytes.size(Value.NULL));
        }

        @Override
        void add(Value value) {
            if (value.isNumber()) {
                numbers.add(value);
            }
        }

        @Override
        Value result() {
            if (numbers.isEmpty()) {
                return Value.NULL;
            }
            Collections.sort(numbers);
            int middle = numbers.size() / 2;
            if (numbers.size() % 2 == 1) {
                return numbers.get(middle);
            }
            double low = ((NumberValue) numbers.get(middle - 1)).doubleValue();
            double high = ((NumberValue) numbers.get(middle)).doubleValue();
            return NumberValue.integerIfExact((low + high) / 2);
        }
    }

    /** Variances and standard deviations, of a sample or of a population. */
    private static final class Spread extends Aggregates {

        private final boolean population;
        private final boolean deviation;
        private final boolean zeroForOne;
        private final List<Double> numbers = new ArrayList<>(1);

        @Override
        long kept() {
            return numbers.size() * BOXED;
        }

        Spread(String name, boolean distinct) {
            this.population = name.endsWith("_pop");
            this.deviation = name.startsWith("stddev");
            // a sample of one value has no variance; the plain names return 0 nevertheless
            this.zeroForOne = population || name.equals("stddev") || name.equals("variance");
        }

        @Override
        void add(Value value) {
            if (value instanceof NumberValue number) {
                numbers.add(number.doubleValue());
            }
        }

        @Override
        Value result() {
            int count = numbers.size();
            if (count == 0 || count == 1 && !zeroForOne) {
                return Value.NULL;
            }
            if (count == 1) {
                return Value.of(0L);
            }
            double mean = numbers.stream().mapToDouble(number -> number).sum() / count;
            double squares = numbers.stream()
                    .mapToDouble(number -> (number - mean) * (number - mean))
                    .sum();
            double variance = squares / (population ? count : count - 1);
            return NumberValue.integerIfExact(deviation ? Math.sqrt(variance) : variance);
        }
    }
}
