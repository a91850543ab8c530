package io.millrace.handler.code;

import com.oracle.js.parser.ErrorManager;
import com.oracle.js.parser.Parser;
import com.oracle.js.parser.ParserException;
import com.oracle.js.parser.ScriptEnvironment;
import com.oracle.js.parser.ir.Block;
import com.oracle.js.parser.ir.EmptyNode;
import com.oracle.js.parser.ir.ExpressionStatement;
import com.oracle.js.parser.ir.Statement;
import com.oracle.js.parser.ir.VarNode;
import io.millrace.handler.HandlerLimits;
import io.millrace.handler.HandlerRejected;
import io.millrace.handler.HandlerRejected.Mistake;
import io.millrace.handler.HandlerSpec.Constant;
import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.Library;
import io.millrace.handler.SyntaxCheck;
import io.millrace.handler.sandbox.Sandbox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;

/**
 * Decides without running it whether code can be a handler: the engine must parse it, it may only declare functions,
 * and one of them must be an entry point. Finds every mistake, not only the first; of syntax errors only the first,
 * because the parser cannot reliably continue after one.
 */
public final class CodeCheck {
    public static final String ON_UPDATE = "OnUpdate";
    public static final String ON_DELETE = "OnDelete";
    public static final String ON_DEPLOY = "OnDeploy";
    public static final String ON_REQUEST = "OnRequest";
    public static final String ON_EVENT = "OnEvent";
    public static final String ON_MESSAGE = "OnMessage";

    /** One of these must be declared. */
    private static final List<String> SOURCES = List.of(ON_UPDATE, ON_DELETE, ON_REQUEST, ON_EVENT, ON_MESSAGE);

    private static final String MISPLACED_IMPORT =
            "An import has the form import {a, b} from 'NAME@VERSION' and comes before everything else in the code";
    private static final Pattern IMPORT = Pattern.compile("\\s*import\\b(?!\\s*[.(])");

    private static final int QUOTED_CHARS = 60;
    /**
     * What the engine puts before and after the message of a syntax error: its own position, and the line in question.
     */
    private static final Pattern SYNTAX_ERROR =
            Pattern.compile("SyntaxError: (?:[^\\n]*?:\\d+:\\d+:? )?(?<message>[^\\n]*).*", Pattern.DOTALL);

    static final ScriptEnvironment ENVIRONMENT = ScriptEnvironment.builder()
            .ecmaScriptVersion(ScriptEnvironment.ES_STAGING)
            .emptyStatements(true)
            .allowBigInt(true)
            .annexB(true)
            .classFields(true)
            .privateFieldsIn(true)
            .build();

    /** In the order of the code; mistakes without a position come last. */
    private static final Comparator<Mistake> PLACES = Comparator.comparing((Mistake mistake) -> mistake.line() == 0)
            .thenComparingInt(Mistake::line)
            .thenComparingInt(Mistake::column);

    private UserCode code;
    private final boolean firstDesign;
    private final List<Mistake> mistakes = new ArrayList<>();

    private CodeCheck(UserCode code, LanguageCompatibility language) {
        this.code = code;
        this.firstDesign = language.firstDesign();
    }

    public static SyntaxCheck.Result check(
            Engine engine, UserCode code, LanguageCompatibility language, List<Constant> constants) {
        var check = new CodeCheck(code, language);
        check.nesting();
        check.constants(constants);
        check.imports();
        boolean parsed = check.mistakes.isEmpty() && check.parse(engine);
        List<String> entryPoints = parsed ? check.tree() : List.of();
        if (check.mistakes.isEmpty()) {
            return new SyntaxCheck.Accepted(entryPoints);
        }
        check.mistakes.sort(PLACES);
        return new HandlerRejected(check.mistakes);
    }

    /**
     * Returns the entry points of code that declares functions and nothing else, without the engine; none when anything is wrong with
     * it, which {@link #check} finds out.
     */
    public static List<String> entryPoints(UserCode code, LanguageCompatibility language) {
        var check = new CodeCheck(code, language);
        check.nesting();
        boolean suspicious = !check.mistakes.isEmpty()
                || !code.imports().isEmpty()
                || code.mistaken() != null
                || code.rewriting().firstMisplaced() != null;
        List<String> found = suspicious ? List.of() : check.tree();
        return check.mistakes.isEmpty() ? found : List.of();
    }

    private void nesting() {
        Nesting.Excess excess = Nesting.of(code.rewriting().original());
        if (excess != null) {
            mistakes.add(new Mistake(excess.message(), code.originalPosition(excess.offset())));
        }
    }

    /** A constant must be one expression. */
    private void constants(List<Constant> constants) {
        for (var constant : constants) {
            var text = "(" + constant.literal() + "\n)";
            try {
                var statements = parsed("constant " + constant.name(), text).getStatements();
                if (statements.size() == 1 && statements.getFirst() instanceof ExpressionStatement) {
                    continue;
                }
            } catch (ParserException e) {
                // reported below
            }
            mistakes.add(new Mistake(
                    "Constant " + constant.name() + " is not a JavaScript literal", UserCode.Position.UNKNOWN));
        }
    }

    /** What is imported must be there. */
    private void imports() {
        LibraryModules libraries = new LibraryModules(code.libraries());
        for (Imports.Import declaration : code.imports()) {
            if (!libraries.has(declaration.specifier())) {
                mistakes.add(new Mistake(
                        LibraryModules.missing(declaration.specifier()), code.originalPosition(declaration.start())));
                continue;
            }
            String mistake = libraries.mistake(declaration.specifier());
            if (mistake != null) {
                mistakes.add(new Mistake(mistake, code.originalPosition(declaration.start())));
                continue;
            }
            Set<String> exports = libraries.exports(declaration.specifier());
            for (Imports.Name name : declaration.names()) {
                if (!exports.contains(name.name())) {
                    mistakes.add(new Mistake(
                            libraries.notExported(declaration.specifier(), name.name()),
                            code.originalPosition(name.offset())));
                }
            }
        }
    }

    /** Returns what is wrong with a library. */
    public static List<Mistake> check(Engine engine, Library library, List<Library> others) {
        Nesting.Excess excess = Nesting.of(library.code());
        if (excess != null) {
            return List.of(new Mistake(excess.message(), UserCode.positionIn(library.code(), excess.offset())));
        }
        try (var context = Sandbox.context(engine)) {
            context.parse(Sandbox.module(library.id(), library.code()));
            return LibraryModules.mistakes(library, others);
        } catch (PolyglotException e) {
            if (e.isInternalError()) {
                throw e;
            }
            var at = e.getSourceLocation();
            return List.of(
                    at == null
                            ? new Mistake(messageOf(e), UserCode.Position.UNKNOWN)
                            : new Mistake(messageOf(e), at.getStartLine(), at.getStartColumn()));
        }
    }

    /** Parses the code with the engine, leaving out statements found to be wrong; returns false if that fails. */
    private boolean parse(Engine engine) {
        try (var context = Sandbox.context(engine)) {
            context.initialize("js");
            for (var misplaced = code.rewriting().firstMisplaced();
                    misplaced != null;
                    misplaced = code.rewriting().firstMisplaced()) {
                drop(misplaced);
            }
            while (mistakes.size() < HandlerLimits.MISTAKES) {
                Optional<Failure> failed = parse(context);
                if (failed.isEmpty()) {
                    return true;
                }
                Optional<Rewriting.Suspect> suspect = suspect(failed.get());
                if (suspect.isEmpty()) {
                    mistakes.add(
                            new Mistake(failed.get().message(), failed.get().at()));
                    return false;
                }
                drop(suspect.get());
            }
            return false;
        }
    }

    /**
     * Why the code cannot be parsed.
     *
     * @param offset in the source, -1 when unknown
     */
    private record Failure(String message, int offset, UserCode.Position at) {}

    private Optional<Rewriting.Suspect> suspect(Failure failed) {
        return code.contains(failed.offset())
                ? code.rewriting().suspectAt(code.originalOffset(failed.offset()))
                : Optional.empty();
    }

    private void drop(Rewriting.Suspect suspect) {
        mistakes.add(new Mistake(suspect.message(), code.originalPosition(suspect.offset())));
        code = code.without(suspect);
    }

    private Optional<Failure> parse(Context context) {
        var mistaken = code.mistaken();
        if (mistaken != null) {
            return Optional.of(new Failure(mistaken.message(), mistaken.offset(), code.position(mistaken.offset())));
        }
        try {
            context.parse(code.source());
            return Optional.empty();
        } catch (PolyglotException e) {
            if (e.isInternalError()) {
                throw e;
            }
            var at = e.getSourceLocation();
            if (at != null && code.contains(at.getCharIndex()) && importsAt(at.getCharIndex())) {
                return Optional.of(new Failure(MISPLACED_IMPORT, at.getCharIndex(), code.positionOf(e)));
            }
            return Optional.of(new Failure(messageOf(e), at == null ? -1 : at.getCharIndex(), code.positionOf(e)));
        }
    }

    private boolean importsAt(int offset) {
        String text = code.rewriting().original();
        int start = Math.min(text.length(), code.originalOffset(offset));
        int line = text.lastIndexOf('\n', start - 1) + 1;
        return IMPORT.matcher(text.substring(line)).lookingAt();
    }

    /** Returns an error's class and message without the engine's own position, which counts headers. */
    static String messageOf(PolyglotException e) {
        String message = String.valueOf(e.getMessage());
        var syntaxError = SYNTAX_ERROR.matcher(message);
        return syntaxError.matches() ? "SyntaxError: " + syntaxError.group("message") : message;
    }

    /** Looks at the syntax tree and returns the entry points. */
    private List<String> tree() {
        Block body;
        try {
            body = parsed(code.source().getName(), code.source().getCharacters().toString());
        } catch (ParserException e) {
            mistakes.add(new Mistake("SyntaxError: " + e.getMessage(), UserCode.Position.UNKNOWN));
            return List.of();
        }
        body.accept(new Prohibitions(code, firstDesign, mistakes));
        Set<String> names = functions(body.getStatements());
        if (Collections.disjoint(names, SOURCES)) {
            mistakes.add(new Mistake(
                    "Neither " + String.join(" nor ", SOURCES) + " is declared", UserCode.Position.UNKNOWN));
        }
        List<String> entryPoints =
                new ArrayList<>(List.of(ON_UPDATE, ON_DELETE, ON_DEPLOY, ON_REQUEST, ON_EVENT, ON_MESSAGE));
        entryPoints.retainAll(names);
        return List.copyOf(entryPoints);
    }

    /** Returns the names of the functions that the code declares at its top level, where it may do nothing else. */
    private Set<String> functions(List<Statement> statements) {
        Set<String> names = new HashSet<>();
        for (var statement : statements) {
            if (!code.contains(statement.getStart())
                    || code.isImport(statement.getStart())
                    || statement instanceof EmptyNode) {
                continue;
            }
            var at = code.position(statement.getStart());
            if (!(statement instanceof VarNode declaration) || !declaration.isHoistableDeclaration()) {
                mistakes.add(new Mistake("Only functions allowed in global space, but found: " + quote(statement), at));
            } else if (!names.add(declaration.getName().getName())) {
                mistakes.add(new Mistake("Function " + declaration.getName().getName() + " is declared twice", at));
            }
        }
        return names;
    }

    /** The engine's own parser, because no public API of it gives a tree. */
    static Block parsed(String name, String text) {
        var source = com.oracle.js.parser.Source.sourceFor(name, text);
        return new Parser(ENVIRONMENT, source, new ErrorManager.ThrowErrorManager())
                .parse()
                .getBody();
    }

    private String quote(Statement statement) {
        String text = code.rewriting().original();
        int start = code.originalOffset(statement.getStart());
        int end = start;
        int limit = Math.min(text.length(), end + QUOTED_CHARS);
        while (end < limit && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return text.substring(start, end).strip();
    }
}
