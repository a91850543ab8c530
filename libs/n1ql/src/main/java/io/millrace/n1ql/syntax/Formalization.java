package io.millrace.n1ql.syntax;

import io.millrace.n1ql.grammar.N1qlParser;
import io.millrace.n1ql.grammar.N1qlParser.FromKeyspaceContext;
import io.millrace.n1ql.grammar.N1qlParser.KeyspaceRefContext;
import io.millrace.n1ql.grammar.N1qlParser.NameContext;
import io.millrace.n1ql.keyspace.KeyspaceName;
import io.millrace.n1ql.keyspace.KeyspaceName.QueryContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStreamRewriter;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/** Writes the names in the text of a statement in full: keyspaces with their bucket and scope, fields with their term. */
public final class Formalization {

    private final Names names;
    private final @Nullable QueryContext context;
    private final CommonTokenStream tokens;
    private final TokenStreamRewriter rewriter;

    private Formalization(Names names, String text, @Nullable QueryContext context) {
        this.names = names;
        this.context = context;
        this.tokens = new CommonTokenStream(new StatementParser.CountingLexer(text));
        this.rewriter = new TokenStreamRewriter(tokens);
    }

    /**
     * Returns the text with full names.
     *
     * @param resolved the statement that the text is, with resolved names
     * @param context the scope in which single names are looked up
     */
    public static String of(Statement resolved, String text, @Nullable QueryContext context) {
        Names names = new Names();
        names.read(resolved);
        Formalization formalization = new Formalization(names, text, context);
        formalization.keyspaces(new N1qlParser(formalization.tokens).statement());
        formalization.fields();
        return formalization.rewriter.getText();
    }

    private static long place(int line, int column) {
        return (long) line << Integer.SIZE | column;
    }

    private static long place(Token token) {
        return place(token.getLine(), token.getCharPositionInLine() + 1);
    }

    private void keyspaces(ParseTree tree) {
        switch (tree) {
            case FromKeyspaceContext term -> {
                Token named = term.alias == null ? term.getStart() : term.alias.getStart();
                if (names.keyspaces.contains(place(named))) {
                    var path = term.keyspacePath();
                    replace(path, path.namespace, path.name());
                }
            }
            case KeyspaceRefContext target -> replace(target, target.namespace, target.name());
            default -> {}
        }
        for (int i = 0; i < tree.getChildCount(); i++) {
            keyspaces(tree.getChild(i));
        }
    }

    private void replace(ParserRuleContext path, @Nullable NameContext namespace, List<NameContext> parts) {
        List<String> whole = TokenText.names(parts);
        boolean system = namespace != null && TokenText.name(namespace).equals("system");
        KeyspaceName name = system || whole.isEmpty()
                ? null
                : KeyspaceName.of(namespace == null ? whole : whole.subList(1, whole.size()), context);
        if (name != null) {
            List<String> full = new ArrayList<>(List.of(name.bucket()));
            boolean defaults = name.scope().equals(KeyspaceName.DEFAULT)
                    && name.collection().equals(KeyspaceName.DEFAULT);
            if (!defaults) {
                full.add(name.scope());
                full.add(name.collection());
            }
            rewriter.replace(
                    path.getStart(),
                    path.getStop(),
                    "default:"
                            + String.join(
                                    ".",
                                    full.stream().map(Formalization::quoted).toList()));
        }
    }

    private void fields() {
        for (Token token : tokens.getTokens()) {
            Expr.Field field = names.fields.get(place(token));
            if (field != null
                    && field.base() instanceof Expr.Ref term
                    && TokenText.identifier(token).equals(field.name())
                    && !field.name().equals(term.name())
                    && !followsADot(token)) {
                rewriter.insertBefore(token, quoted(term.name()) + ".");
            }
        }
    }

    private boolean followsADot(Token token) {
        int before = token.getTokenIndex() - 1;
        while (before >= 0 && tokens.get(before).getChannel() != Token.DEFAULT_CHANNEL) {
            before--;
        }
        return before >= 0 && tokens.get(before).getText().equals(".");
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** The places of keyspaces and of fields without a term. */
    private static final class Names extends TreeMapper {

        private final Set<Long> keyspaces = new HashSet<>();
        private final Map<Long, Expr.Field> fields = new HashMap<>();

        void read(Statement statement) {
            switch (statement) {
                case Statement.Select select -> query(select.query());
                case Statement.InsertSelect insert -> query(insert.query());
                case Statement.Update update -> {
                    from(update.from());
                    optional(update.where());
                    update.set().forEach(item -> map(item.value()));
                }
                case Statement.Delete delete -> {
                    from(delete.from());
                    optional(delete.where());
                }
                case Statement.Merge merge -> {
                    from(merge.source());
                    map(merge.on());
                }
                case Statement.Explain explain -> read(explain.statement());
                case Statement.Advise advise -> read(advise.statement());
                case Statement.Prepare prepare -> read(prepare.statement());
                default -> {}
            }
        }

        @Override
        public Expr map(Expr expr) {
            if (expr instanceof Expr.Field field && field.base() instanceof Expr.Ref) {
                fields.put(place(field.place().line(), field.place().column()), field);
            }
            return super.map(expr);
        }

        @Override
        protected Query.From from(Query.From from) {
            if (from instanceof Query.KeyspaceTerm term) {
                keyspaces.add(place(term.place().line(), term.place().column()));
            }
            return super.from(from);
        }
    }
}
