package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.FieldSightings;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Op;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.Suggestion;
import io.millrace.n1ql.syntax.TreeMapper;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Warns of fields that no document had when documents had one of a similar name. Knows the fields that a statement asks documents
 * for, except those that it asks for because they may be MISSING.
 */
public final class FieldMistakes {

    private static final Set<Op> MAY_BE_MISSING =
            Set.of(Op.IS_MISSING, Op.IS_NOT_MISSING, Op.IS_VALUED, Op.IS_NOT_VALUED);

    private final Map<Long, Expr.Field> fields;

    private FieldMistakes(Map<Long, Expr.Field> fields) {
        this.fields = fields;
    }

    /** @param statement one whose names are resolved */
    public static FieldMistakes of(Statement statement) {
        Fields fields = new Fields();
        switch (statement) {
            case Statement.Select select -> fields.read(select.query());
            case Statement.Update update -> fields.read(update.from(), update.where(), update.set());
            case Statement.Delete delete -> fields.read(delete.from(), delete.where(), List.of());
            default -> {}
        }
        Map<Long, Expr.Field> found = new LinkedHashMap<>();
        fields.found.forEach((bit, field) -> {
            if (field.base() instanceof Expr.Ref ref && fields.documents.contains(ref.slot())) {
                found.put(bit, field);
            }
        });
        fields.lenient.forEach(found::remove);
        return new FieldMistakes(found);
    }

    /** Warns at the end of a run. */
    public void warn(Execution execution) {
        fields.forEach((bit, field) -> {
            Set<String> seen = execution.sightings().insteadOf(bit);
            if (!seen.contains(field.name())) {
                Suggestion.closest(field.name(), seen).ifPresent(name -> warn(field, name, execution));
            }
        });
    }

    private static void warn(Expr.Field field, String meant, Execution execution) {
        Place place = field.place();
        execution.warn(
                ErrorCode.FIELD_NOT_SEEN,
                "No document that was read has the field %s%s; did you mean %s?"
                        .formatted(
                                field.name(),
                                place.line() == 0
                                        ? ""
                                        : " of line %d, column %d".formatted(place.line(), place.column()),
                                meant));
    }

    private static final class Fields extends TreeMapper {

        private final Map<Long, Expr.Field> found = new LinkedHashMap<>();
        private final Set<Long> lenient = new HashSet<>();
        private final Set<Integer> documents = new HashSet<>();

        void read(Query query) {
            query(query);
        }

        void read(Query.From from, @Nullable Expr where, List<Statement.SetItem> set) {
            from(from);
            optional(where);
            set.forEach(item -> map(item.value()));
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Field field && field.base() instanceof Expr.Ref ref && !field.ignoreCase()) {
                found.putIfAbsent(bit(field, ref), field);
            }
            boolean test = expr instanceof Expr.Operation operation && MAY_BE_MISSING.contains(operation.op())
                    || expr instanceof Expr.Call call && call.name().contains("missing");
            if (test) {
                allow(expr);
            }
            return super.map(expr);
        }

        private void allow(Expr test) {
            var args = test instanceof Expr.Operation operation ? operation.args() : ((Expr.Call) test).args();
            for (Expr arg : args) {
                if (arg instanceof Expr.Field field && field.base() instanceof Expr.Ref ref) {
                    lenient.add(bit(field, ref));
                }
            }
        }

        private static long bit(Expr.Field field, Expr.Ref ref) {
            return FieldSightings.bit(ref.block(), ref.slot(), field.name());
        }

        @Override
        protected Query.From from(Query.From from) {
            if (from instanceof Query.KeyspaceTerm term) {
                documents.add(term.slot());
            }
            return super.from(from);
        }
    }
}
