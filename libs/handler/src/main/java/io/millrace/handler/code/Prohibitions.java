package io.millrace.handler.code;

import com.oracle.js.parser.ir.CallNode;
import com.oracle.js.parser.ir.FunctionNode;
import com.oracle.js.parser.ir.IdentNode;
import com.oracle.js.parser.ir.LabelNode;
import com.oracle.js.parser.ir.LexicalContext;
import com.oracle.js.parser.ir.visitor.NodeVisitor;
import io.millrace.handler.HandlerRejected.Mistake;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds valid JavaScript that is not allowed in functions. */
final class Prohibitions extends NodeVisitor<LexicalContext> {
    /** The verbs of N1QL that the first design reserves, in its spelling. */
    private static final Set<String> RESERVED = Set.of("SELECT", "UPDATE", "DELETE", "UPSERT", "INSERT", "MERGE");

    private final UserCode code;
    private final boolean firstDesign;
    private final List<Mistake> mistakes;
    private final Set<Integer> reported = new HashSet<>();

    /** @param firstDesign whether anonymous functions and N1QL's verbs as names are refused as well */
    Prohibitions(UserCode code, boolean firstDesign, List<Mistake> mistakes) {
        super(new LexicalContext());
        this.code = code;
        this.firstDesign = firstDesign;
        this.mistakes = mistakes;
    }

    /** Refuses import(...): what it loads is code from a string, which is refused everywhere else as well. */
    @Override
    public boolean enterCallNode(CallNode call) {
        if (call.isImport()) {
            report(call.getStart(), "import is not available to functions");
        }
        return true;
    }

    @Override
    public boolean enterFunctionNode(FunctionNode function) {
        boolean nameless = function.isAnonymous() && !function.isMethod() && !function.isProgram();
        if (firstDesign && (nameless || function.isArrow())) {
            report(function.getStart(), "Anonymous functions are not allowed");
        }
        return true;
    }

    @Override
    public boolean enterIdentNode(IdentNode name) {
        if (firstDesign && RESERVED.contains(name.getName()) && !name.isPropertyName()) {
            report(name.getStart(), "%s is a keyword of N1QL and cannot be used as a name".formatted(name.getName()));
        }
        return true;
    }

    @Override
    public boolean enterLabelNode(LabelNode label) {
        if (firstDesign && RESERVED.contains(label.getLabelName())) {
            report(
                    label.getStart(),
                    "%s is a keyword of N1QL and cannot be used as a label".formatted(label.getLabelName()));
        }
        return true;
    }

    private void report(int offset, String message) {
        if (code.isWritten(offset) && reported.add(offset)) {
            mistakes.add(new Mistake(message, code.position(offset)));
        }
    }
}
