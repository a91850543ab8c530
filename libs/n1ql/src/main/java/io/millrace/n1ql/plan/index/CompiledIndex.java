package io.millrace.n1ql.plan.index;

import io.millrace.n1ql.analysis.DocumentExprs;
import io.millrace.n1ql.analysis.StatementResolver;
import io.millrace.n1ql.expression.BlockChain;
import io.millrace.n1ql.expression.ExprCompiler;
import io.millrace.n1ql.keyspace.IndexDefinition;
import io.millrace.n1ql.keyspace.Keyspace.SecondaryIndex;
import io.millrace.n1ql.keyspace.Keyspace.StoredDocument;
import io.millrace.n1ql.runtime.Eval;
import io.millrace.n1ql.runtime.Execution;
import io.millrace.n1ql.runtime.Frame;
import io.millrace.n1ql.syntax.Expr;
import io.millrace.n1ql.syntax.ExprText;
import io.millrace.n1ql.syntax.Query;
import io.millrace.n1ql.syntax.Statement;
import io.millrace.n1ql.syntax.StatementParser;
import io.millrace.n1ql.syntax.TreeMapper;
import io.millrace.n1ql.value.ArrayValue;
import io.millrace.n1ql.value.BinaryValue;
import io.millrace.n1ql.value.Json;
import io.millrace.n1ql.value.ObjectValue;
import io.millrace.n1ql.value.Value;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An index with compiled expressions, which computes the entries of a document. An entry is the bytes of its keys, the
 * bytes of the document's key and, if the keys cannot be decoded exactly, the keys as JSON.
 */
public final class CompiledIndex implements SecondaryIndex.Entries {

    private final IndexDefinition definition;
    private final Statement.CreateIndex statement;
    private final DocumentShape shape;
    private final List<Expr> keys;
    private final List<Expr> where;
    private final Eval[] values;
    private final @Nullable Eval condition;
    private final int slots;

    /** A decoded entry. */
    public record Entry(List<Value> keys, String id) {}

    private CompiledIndex(IndexDefinition definition, Statement.CreateIndex statement) {
        Statement.Target target = statement.target();
        this.definition = definition;
        this.statement = statement;
        this.shape = new DocumentShape(BLOCK, target.slot(), target.metaSlot());
        this.keys = statement.keys().stream().map(key -> shape.map(key.expr())).toList();
        Expr whereExpr = statement.where();
        this.where = whereExpr == null ? List.of() : Expr.conjuncts(shape.map(whereExpr));
        List<Expr> exprs = new ArrayList<>(
                statement.keys().stream().map(Statement.IndexKey::expr).toList());
        if (whereExpr != null) {
            exprs.add(whereExpr);
        }
        this.slots = DocumentExprs.slots(target, exprs);
        ExprCompiler compiler =
                new ExprCompiler(new BlockChain(BLOCK, new BlockChain(-1, null)), CompiledIndex::noSubquery);
        this.values = compiler.all(
                statement.keys().stream().map(Statement.IndexKey::expr).toList());
        this.condition = compiler.optional(whereExpr);
    }

    /** In errors. */
    private static final String SUBJECT = "An index";

    /** The block of the names of a statement. */
    private static final int BLOCK = 0;

    private static Eval noSubquery(Query query, BlockChain blocks) {
        throw DocumentExprs.refusal(SUBJECT, "a subquery");
    }

    /** Compiles a definition. */
    public static CompiledIndex of(IndexDefinition definition) {
        String keys = definition.keys().stream()
                .map(key -> (key.each() ? "DISTINCT " : "") + key.text() + (key.descending() ? " DESC" : ""))
                .collect(Collectors.joining(", "));
        String where = definition.where() == null ? "" : " WHERE " + definition.where();
        Statement statement = StatementParser.parse(
                        "CREATE INDEX i ON " + DocumentExprs.KEYSPACE + "(" + keys + ")" + where)
                .statement();
        return new CompiledIndex(definition, (Statement.CreateIndex) StatementResolver.resolve(statement));
    }

    /** Returns the definition of a statement; throws if its keys depend on anything but the document. */
    public static IndexDefinition definition(Statement.CreateIndex create, String name, IndexDefinition.State state) {
        DocumentShape shape =
                new DocumentShape(BLOCK, create.target().slot(), create.target().metaSlot());
        Expr where = create.where();
        List<IndexDefinition.Key> keys = new ArrayList<>();
        for (Statement.IndexKey key : create.keys()) {
            keys.add(new IndexDefinition.Key(text(shape, key.expr()), key.descending(), key.each()));
        }
        return new IndexDefinition(name, create.primary(), keys, where == null ? null : text(shape, where), state);
    }

    private static String text(DocumentShape shape, Expr expr) {
        DocumentExprs.requireNothingElse(SUBJECT, expr);
        return ExprText.of(new DocumentShape.Plain(shape).map(expr));
    }

    /** Returns, in words, which of its keys no query uses: entries are kept for them all the same. */
    public List<String> unused() {
        List<String> unused = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            boolean adaptive = each(i) && AdaptiveKey.of(keys.get(i)) != null;
            if (!adaptive && new Pairs().in(keys.get(i))) {
                unused.add("No query uses the index key "
                        + definition.keys().get(i).text()
                        + " for conditions on fields: write DISTINCT PAIRS(SELF), or DISTINCT PAIRS of an object with a name"
                        + " of its own for each field, such as {city, \"country\": address.country}.");
            }
        }
        return unused;
    }

    /** Finds calls of PAIRS, which conditions on fields are not compared with. */
    private static final class Pairs extends TreeMapper {
        private boolean found;

        boolean in(Expr expr) {
            map(expr);
            return found;
        }

        @Override
        public Expr map(Expr expr) {
            found |= AdaptiveKey.isPairs(expr);
            return children(expr);
        }
    }

    // ---- definition

    public IndexDefinition definition() {
        return definition;
    }

    public SecondaryIndex secondary() {
        return new SecondaryIndex(definition, this);
    }

    /** Returns its keys in the form of {@link DocumentShape}. */
    public List<Expr> keys() {
        return keys;
    }

    public boolean descending(int key) {
        return definition.keys().get(key).descending();
    }

    /** Returns whether a key has an entry for each element of an array. */
    public boolean each(int key) {
        return statement.keys().get(key).each();
    }

    public boolean hasEach() {
        return statement.keys().stream().anyMatch(Statement.IndexKey::each);
    }

    /** Returns the conditions that indexed documents fulfil, in the form of {@link DocumentShape}. */
    public List<Expr> where() {
        return where;
    }

    // ---- entries

    @Override
    public List<byte[]> of(StoredDocument document) {
        Execution execution = Execution.ofConstants();
        Frame frame = new Frame(slots, new Frame(0, null, execution), execution);
        frame.set(
                statement.target().slot(),
                document.json() ? Json.trusted(document.body()) : new BinaryValue(document.body()));
        frame.set(statement.target().metaSlot(), meta(document));
        if (condition != null && !condition.eval(frame).truth()) {
            return List.of();
        }
        Value[] found = new Value[values.length];
        int each = -1;
        for (int i = 0; i < values.length; i++) {
            found[i] = values[i].eval(frame);
            each = each(i) ? i : each;
        }
        if (each < 0) {
            return found[0].isMissing() ? List.of() : List.of(entry(found, document.key()));
        }
        return entriesOfEach(found, each, document.key());
    }

    private List<byte[]> entriesOfEach(Value[] found, int each, String id) {
        if (!(found[each] instanceof ArrayValue array)) {
            return List.of();
        }
        List<byte[]> entries = new ArrayList<>();
        for (Value item : new LinkedHashSet<>(array.items())) {
            Value[] own = found.clone();
            own[each] = item;
            if (!own[0].isMissing()) {
                entries.add(entry(own, id));
            }
        }
        return entries;
    }

    private static Value meta(StoredDocument document) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("id", Value.of(document.key()));
        fields.put("cas", Value.of(document.cas()));
        fields.put("expiration", Value.of(document.expiration()));
        fields.put("flags", Value.of((long) document.flags()));
        fields.put("type", Value.of(document.json() ? "json" : "base64"));
        return ObjectValue.of(fields);
    }

    private byte[] entry(Value[] found, String id) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64);
        for (int i = 0; i < found.length; i++) {
            byte[] bytes = KeyEncoding.of(found[i]);
            out.writeBytes(descending(i) ? KeyEncoding.inverted(bytes) : bytes);
        }
        KeyEncoding.text(id.getBytes(StandardCharsets.UTF_8), out);
        byte[] entry = out.toByteArray();
        List<Value> written = Arrays.asList(found);
        return same(written, read(entry).keys())
                ? entry
                : KeyEncoding.concat(entry, ArrayValue.of(written).toJsonBytes());
    }

    private static boolean same(List<Value> written, List<Value> read) {
        return ArrayValue.of(written).toJson().equals(ArrayValue.of(read).toJson());
    }

    /** Decodes an entry. */
    public Entry read(byte[] entry) {
        KeyEncoding.Reader reader = new KeyEncoding.Reader(entry);
        List<Value> decoded = new ArrayList<>(values.length);
        for (int i = 0; i < values.length; i++) {
            decoded.add(reader.value(descending(i)));
        }
        String id = reader.plainText();
        if (reader.position() == entry.length) {
            return new Entry(decoded, id);
        }
        byte[] json = Arrays.copyOfRange(entry, reader.position(), entry.length);
        List<Value> written = new ArrayList<>(((ArrayValue) Json.trusted(json)).items());
        for (int i = 0; i < written.size(); i++) {
            if (decoded.get(i).isMissing()) {
                written.set(i, Value.MISSING); // which JSON does not have
            }
        }
        return new Entry(written, id);
    }
}
