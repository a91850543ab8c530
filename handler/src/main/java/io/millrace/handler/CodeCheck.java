package io.millrace.handler;

import com.oracle.js.parser.ErrorManager;
import com.oracle.js.parser.Parser;
import com.oracle.js.parser.ParserException;
import com.oracle.js.parser.ScriptEnvironment;
import com.oracle.js.parser.ir.Block;
import com.oracle.js.parser.ir.CallNode;
import com.oracle.js.parser.ir.EmptyNode;
import com.oracle.js.parser.ir.LexicalContext;
import com.oracle.js.parser.ir.Statement;
import com.oracle.js.parser.ir.VarNode;
import com.oracle.js.parser.ir.visitor.NodeVisitor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;

/**
 * Decides without running it whether code can be a handler: the engine must parse it, it may only declare functions, and
 * one of them must be an entry point.
 */
final class CodeCheck {
    static final String ON_UPDATE = "OnUpdate";
    static final String ON_DELETE = "OnDelete";

    private static final int QUOTED_CHARS = 60;
    /** What the engine puts before and after the message of a syntax error: its own position, and the line in question. */
    private static final Pattern SYNTAX_ERROR =
            Pattern.compile("SyntaxError: (?:[^\\n]*?:\\d+:\\d+:? )?(?<message>[^\\n]*).*", Pattern.DOTALL);

    private CodeCheck() {}

    static SyntaxCheck.Result check(Engine engine, UserCode code) {
        try (var context = Sandbox.context(engine)) {
            context.initialize("js");
            parse(context, code);
            return checkTopLevel(code);
        } catch (Rejection e) {
            return e.reason;
        }
    }

    private static void parse(Context context, UserCode code) throws Rejection {
        try {
            context.parse(code.source());
        } catch (PolyglotException e) {
            if (e.isInternalError()) {
                throw e;
            }
            throw new Rejection(new HandlerRejected(messageOf(e), code.positionOf(e)));
        }
    }

    /** Returns an error's class and message without the engine's own position, which counts headers. */
    static String messageOf(PolyglotException e) {
        String message = String.valueOf(e.getMessage());
        var syntaxError = SYNTAX_ERROR.matcher(message);
        return syntaxError.matches() ? "SyntaxError: " + syntaxError.group("message") : message;
    }

    private static SyntaxCheck.Result checkTopLevel(UserCode code) throws Rejection {
        Set<String> names = new HashSet<>();
        for (var statement : statements(code)) {
            if (!code.contains(statement.getStart()) || statement instanceof EmptyNode) {
                continue;
            }
            var at = code.position(statement.getStart());
            if (!(statement instanceof VarNode declaration) || !declaration.isHoistableDeclaration()) {
                throw new Rejection(new HandlerRejected(
                        "Only functions allowed in global space, but found: " + quote(code, statement), at));
            }
            if (!names.add(declaration.getName().getName())) {
                throw new Rejection(
                        new HandlerRejected("Function " + declaration.getName().getName() + " is declared twice", at));
            }
        }
        List<String> entryPoints = new ArrayList<>(List.of(ON_UPDATE, ON_DELETE));
        entryPoints.retainAll(names);
        if (entryPoints.isEmpty()) {
            throw new Rejection(new HandlerRejected(
                    "Neither " + ON_UPDATE + " nor " + ON_DELETE + " is declared", UserCode.Position.UNKNOWN));
        }
        return new SyntaxCheck.Accepted(List.copyOf(entryPoints));
    }

    /** Refuses import(...): what it loads is code from a string, which is refused everywhere else as well. */
    private static void refuseImports(Block body, UserCode code) throws Rejection {
        List<CallNode> imports = new ArrayList<>();
        body.accept(new NodeVisitor<>(new LexicalContext()) {
            @Override
            public boolean enterCallNode(CallNode call) {
                if (call.isImport()) {
                    imports.add(call);
                }
                return true;
            }
        });
        if (!imports.isEmpty()) {
            var at = code.position(imports.getFirst().getStart());
            throw new Rejection(new HandlerRejected("import is not available to functions", at));
        }
    }

    /** Returns the statements at the top level of a text that the engine has parsed without complaint. */
    private static List<Statement> statements(UserCode code) throws Rejection {
        // the engine's own parser, because no public API of it gives a tree
        var environment = ScriptEnvironment.builder()
                .ecmaScriptVersion(ScriptEnvironment.ES_STAGING)
                .emptyStatements(true)
                .allowBigInt(true)
                .annexB(true)
                .classFields(true)
                .privateFieldsIn(true)
                .build();
        var source = com.oracle.js.parser.Source.sourceFor(
                code.source().getName(), code.source().getCharacters().toString());
        try {
            var body = new Parser(environment, source, new ErrorManager.ThrowErrorManager())
                    .parse()
                    .getBody();
            refuseImports(body, code);
            return body.getStatements();
        } catch (ParserException e) {
            throw new Rejection(new HandlerRejected("SyntaxError: " + e.getMessage(), UserCode.Position.UNKNOWN));
        }
    }

    private static String quote(UserCode code, Statement statement) {
        var text = code.source().getCharacters();
        int end = statement.getStart();
        int limit = Math.min(text.length(), end + QUOTED_CHARS);
        while (end < limit && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return text.subSequence(statement.getStart(), end).toString().strip();
    }

    private static final class Rejection extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient HandlerRejected reason;

        Rejection(HandlerRejected reason) {
            super(reason.message());
            this.reason = reason;
        }
    }
}
