package io.millrace.n1ql;

import java.time.Duration;

/** The limits of statements, each with its unit. */
public final class StatementLimits {

    /** The most tokens of a statement: each takes about 50 bytes while it is parsed; data belongs into parameters. */
    public static final int MAX_TOKENS = 300_000;

    /** The longest text that a function or an operator may give, in characters. */
    public static final int MAX_RESULT_LENGTH = 20 * 1024 * 1024;

    /**
     * The most values of an array or object that a function, an expression or SELECT makes, those inside of others included;
     * each 40 characters of a text count as one more.
     */
    public static final int MAX_PARTS = 4 * 1024 * 1024;

    /**
     * The longest pattern of LIKE and longest regular expression, in characters; in a regular expression, what is repeated
     * counts as often.
     */
    public static final int MAX_PATTERN_LENGTH = 10_000;

    /** The most comparisons of characters that a search of one text in another may take: the product of both lengths. */
    public static final long MAX_COMPARISONS = 1L << 30;

    /** The longest prepared statement together with its name, in characters. */
    public static final int MAX_PREPARED_LENGTH = 64 * 1024;

    /** The most characters of all prepared statements and their names together. */
    public static final int MAX_PREPARED_TOTAL = 16 * 1024 * 1024;

    /** The most prepared statements; a client that invents names could fill the heap otherwise. */
    public static final int MAX_PREPARED = 16_384;

    /** So much of the text of a completed request is kept, in characters. */
    public static final int KEPT_CHARACTERS = 16 * 1024;

    /** How long the condition of a filter may be computed for one document; changes behind it wait so long. */
    public static final Duration CONDITION_TIMEOUT = Duration.ofSeconds(1);

    private StatementLimits() {}
}
