package io.millrace.n1ql;

import io.millrace.n1ql.analysis.StatementResolver;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.MemoryKeyspaces;
import io.millrace.n1ql.keyspace.StatementRights;
import io.millrace.n1ql.keyspace.StatementRights.Need;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Memory;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.FunctionCheck;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser;
import io.millrace.n1ql.syntax.StatementParser.ParsedStatement;
import io.millrace.n1ql.value.Value;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Facts about a statement that follow from its text.
 *
 * @param parameters the names of its parameters in the order of the text; positional ones are numbers from 1
 * @param select whether it is a query
 * @param uses what it does with which keyspaces, without those that a parameter names, that a user-defined function reads,
 *     and that a statement prepared earlier uses
 */
public record StatementOutline(Set<String> parameters, boolean select, Set<Use> uses) {

    private static final Set<Need> CHANGES = EnumSet.of(Need.INSERT, Need.UPDATE, Need.DELETE);

    /**
     * What a statement does with a keyspace; a need that is about a scope or a bucket has the default keyspace in it.
     */
    public record Use(Need need, KeyspaceName keyspace) {}

    public StatementOutline {
        uses = Collections.unmodifiableSet(new LinkedHashSet<>(uses));
    }

    /**
     * Parses a statement. User-defined functions are not looked up; only a name with its scope is taken for one.
     *
     * @throws QueryException if the text does not parse or names something that does not exist, with the place
     */
    public static StatementOutline of(String text) {
        try {
            ParsedStatement parsed = StatementParser.parse(text);
            for (Expr.UserCall call : parsed.userCalls()) {
                if (call.path().size() == 1) {
                    throw FunctionCheck.unknown(call.toString().toLowerCase(Locale.ROOT), call.place());
                }
            }
            Statement resolved = StatementResolver.resolve(parsed.statement());
            return new StatementOutline(
                    parsed.parameters(),
                    parsed.statement() instanceof Statement.Select,
                    uses(resolved, parsed.parameters()));
        } catch (RuntimeException | StackOverflowError e) {
            throw Failures.of(e);
        }
    }

    /** Returns the keyspaces whose documents it reads other than to change them, in the order of the text. */
    public List<KeyspaceName> reads() {
        return keyspaces(Set.of(Need.SELECT));
    }

    /** Returns the keyspaces whose documents it changes, in the order of the text. */
    public List<KeyspaceName> changes() {
        return keyspaces(CHANGES);
    }

    private List<KeyspaceName> keyspaces(Set<Need> needs) {
        return uses.stream()
                .filter(use -> needs.contains(use.need()))
                .map(Use::keyspace)
                .distinct()
                .toList();
    }

    /** What a statement needs is what it asks for when its rights are checked. */
    private static Set<Use> uses(Statement resolved, Set<String> parameters) {
        Asked asked = new Asked();
        Map<String, Value> unknown =
                parameters.stream().collect(Collectors.toMap(Function.identity(), name -> Value.NULL));
        Execution execution = new Execution(
                new MemoryKeyspaces(), asked, unknown, null, InstantSource.system(), 0, false, Memory.ofHeap());
        StatementNeeds.require(resolved, execution, new StatementNeeds.Others() {
            @Override
            public void prepared(String name) {
                // which statement that is, is known when it runs
            }

            @Override
            public void step(String text) {
                asked.uses.addAll(of(text).uses());
            }
        });
        return asked.uses;
    }

    /** Allows everything and notes what is asked for. */
    private static final class Asked extends StatementRights.All {

        private final Set<Use> uses = new LinkedHashSet<>();

        @Override
        public boolean allows(Need need, KeyspaceName name) {
            uses.add(new Use(need, name));
            return true;
        }
    }
}
