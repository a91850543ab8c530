package io.millrace.n1ql.analysis;

import io.millrace.n1ql.ErrorCode;
import io.millrace.n1ql.QueryException;
import io.millrace.n1ql.analysis.Scope.Kind;
import io.millrace.n1ql.analysis.Scope.Meaning;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.Expr.Binding;
import io.millrace.n1ql.syntax.Expr.Literal;
import io.millrace.n1ql.syntax.Place;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Suggestion;
import io.millrace.n1ql.syntax.TreeMapper;
import io.millrace.n1ql.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Resolves names to slots, and checks functions and their numbers of arguments. */
final class ExprResolver extends TreeMapper {

    private final QueryResolver queries;
    private Scope scope;

    ExprResolver(QueryResolver queries, Scope scope) {
        this.queries = queries;
        this.scope = scope;
    }

    @Override
    public Expr map(Expr expr) {
        return switch (expr) {
            case Expr.Name name -> name(name);
            case Expr.Self self -> self(self.place());
            case Expr.Call call -> function(call);
            default -> children(expr);
        };
    }

    @Override
    protected Query query(Query query) {
        return queries.query(query, scope);
    }

    private Expr name(Expr.Name name) {
        Meaning meaning = name.ignoreCase() ? null : scope.find(name.name());
        if (meaning != null) {
            return meaning.ref();
        }
        Map<String, Meaning> terms = scope.nearestFromTerms();
        if (terms.size() != 1) {
            throw name.place()
                    .error(
                            ErrorCode.AMBIGUOUS_REFERENCE,
                            "Ambiguous reference to field '" + name.name() + "'" + reason(name.name(), terms));
        }
        Meaning only = terms.values().iterator().next();
        return new Expr.Field(only.ref(), name.name(), name.ignoreCase(), name.place());
    }

    /** Says why a name cannot be a field, and which alias it was perhaps meant to be. */
    private static String reason(String name, Map<String, Meaning> terms) {
        if (terms.isEmpty()) {
            return ": the query has no FROM; a string needs quotation marks";
        }
        String wanted = Suggestion.didYouMean(name, terms.keySet());
        return ": the query has several FROM terms; write the alias of one before the field, "
                + terms.keySet().iterator().next() + "." + name + wanted;
    }

    private Expr self(Place place) {
        Map<String, Meaning> terms = scope.nearestFromTerms();
        if (terms.isEmpty()) {
            throw place.error(ErrorCode.AMBIGUOUS_REFERENCE, "SELF without FROM");
        }
        return terms.size() == 1 ? terms.values().iterator().next().ref() : new Expr.ObjectLiteral(members(terms));
    }

    static List<Expr.Member> members(Map<String, Meaning> terms) {
        List<Expr.Member> members = new ArrayList<>();
        terms.forEach((alias, meaning) -> members.add(new Expr.Member(new Literal(Value.of(alias)), meaning.ref())));
        return members;
    }

    private Expr function(Expr.Call call) {
        if (call.name().equals("meta")) {
            return meta(call);
        }
        if (call.name().equals("self") && call.args().isEmpty()) {
            return self(call.place());
        }
        if (call.name().equals("unnest_pos") || call.name().equals("unnest_position")) {
            return position(call);
        }
        return call(call);
    }

    /** The position of an element in the array of UNNEST. */
    private Expr position(Expr.Call call) {
        Meaning meaning = call.args().getFirst() instanceof Expr.Name name ? scope.find(name.name()) : null;
        if (meaning == null || meaning.kind() != Kind.FROM || meaning.metaSlot() < 0) {
            throw call.place().error(ErrorCode.SEMANTICS, "UNNEST_POS needs the alias of an UNNEST term");
        }
        return meaning.block().ref(meaning.metaSlot(), "unnest_pos(`" + meaning.name() + "`)");
    }

    private Expr meta(Expr.Call call) {
        if (call.args().isEmpty()) {
            Map<String, Meaning> terms = scope.nearestFromTerms();
            if (terms.size() != 1) {
                throw call.place()
                        .error(
                                ErrorCode.AMBIGUOUS_META,
                                terms.isEmpty()
                                        ? "META() needs a document, and the query has no FROM"
                                        : "META() in query with multiple FROM terms requires an argument: META("
                                                + String.join(") or META(", terms.keySet()) + ")");
            }
            return metaOf(terms.values().iterator().next());
        }
        if (call.args().getFirst() instanceof Expr.Name name) {
            Meaning meaning = scope.find(name.name());
            if (meaning != null) {
                return metaOf(meaning);
            }
        }
        map(call.args().getFirst());
        return new Literal(Value.MISSING);
    }

    private static Expr metaOf(Meaning meaning) {
        return meaning.kind() == Kind.KEYSPACE
                ? meaning.block().ref(meaning.metaSlot(), "meta(`" + meaning.name() + "`)")
                : new Literal(Value.MISSING);
    }

    // ---- local variables

    @Override
    protected Expr quantified(Expr.Quantified quantified) {
        Scope around = scope;
        List<Binding> bindings = bind(quantified.bindings());
        Expr satisfies = map(quantified.satisfies());
        scope = around;
        return new Expr.Quantified(quantified.quantifier(), bindings, satisfies);
    }

    @Override
    protected Expr comprehension(Expr.Comprehension comprehension) {
        Scope around = scope;
        List<List<Binding>> levels = levels(comprehension.levels());
        Expr name = optional(comprehension.name());
        Expr value = map(comprehension.value());
        Expr when = optional(comprehension.when());
        scope = around;
        return new Expr.Comprehension(comprehension.kind(), name, value, levels, when);
    }

    /** Declares the variables of each level; the caller restores the scope. Levels see the variables of earlier ones. */
    private List<List<Binding>> levels(List<List<Binding>> levels) {
        List<List<Binding>> resolved = new ArrayList<>();
        for (List<Binding> level : levels) {
            resolved.add(bind(level));
        }
        return resolved;
    }

    private List<Binding> bind(List<Binding> bindings) {
        Scope inner = scope.nested();
        List<Binding> resolved = new ArrayList<>();
        for (Binding binding : bindings) {
            Expr source = map(binding.source());
            int keySlot = binding.key() == null ? -1 : declare(inner, binding.key(), binding.place());
            int slot = declare(inner, binding.variable(), binding.place());
            resolved.add(new Binding(
                    binding.key(), binding.variable(), binding.within(), source, keySlot, slot, binding.place()));
        }
        scope = inner;
        return resolved;
    }

    private int declare(Scope inner, String variable, Place place) {
        Meaning known = scope.find(variable);
        if (known == null) {
            known = inner.findHere(variable);
        }
        if (known != null && known.kind() != Kind.PROJECTION) {
            throw place.error(ErrorCode.DUPLICATE_VARIABLE, "Duplicate variable: '" + variable + "' already in scope");
        }
        int slot = inner.block().newSlot();
        inner.add(Kind.VARIABLE, variable, slot, -1);
        return slot;
    }

    /** The FOR of an UPDATE: the action runs with its variables in scope. */
    Query.Each each(Query.Each each, Runnable between) {
        Scope around = scope;
        List<List<Binding>> levels = levels(each.levels());
        Expr when = optional(each.when());
        between.run();
        scope = around;
        return new Query.Each(levels, when);
    }

    static QueryException notSupported(Place place, String what) {
        return place.error(ErrorCode.SEMANTICS, what + " is not supported");
    }
}
