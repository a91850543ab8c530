package io.millrace.handler.code;

import com.oracle.js.parser.TokenType;
import com.oracle.js.parser.ir.Block;
import com.oracle.js.parser.ir.LexicalContext;
import com.oracle.js.parser.ir.UnaryNode;
import com.oracle.js.parser.ir.visitor.NodeVisitor;
import java.util.HashMap;
import java.util.Map;

/** Where functions delete members: the engine keeps no position for a failure of {@code delete}. */
final class Deletions extends NodeVisitor<LexicalContext> {

    /** The only deletion of a function, or the beginning of a function with several. */
    private record Place(int function, int offset) {}

    private static final Place AMBIGUOUS = new Place(-1, -1);

    private final Map<String, Place> byFunction = new HashMap<>();

    private Deletions() {
        super(new LexicalContext());
    }

    static Deletions in(Block code) {
        var found = new Deletions();
        code.accept(found);
        return found;
    }

    @Override
    public boolean enterUnaryNode(UnaryNode node) {
        if (node.isTokenType(TokenType.DELETE)) {
            var function = lc.getCurrentFunction();
            byFunction.merge(
                    function.getName(),
                    new Place(function.getStart(), node.getStart()),
                    (known, other) -> known.function() == other.function()
                            ? new Place(other.function(), other.function())
                            : AMBIGUOUS);
        }
        return true;
    }

    /** Returns the offset of what is known about the deletions of a function; -1 for nothing. */
    int offset(String function) {
        return byFunction.getOrDefault(function, AMBIGUOUS).offset();
    }
}
