package io.millrace.eventing.definition;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The rules for the names under which a handler reaches buckets, URLs, databases, topics and constants. */
final class Aliases {

    static final int MAX_CHARS = 64;

    static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");

    static final Set<String> JAVASCRIPT = Set.of(
            ("abstract arguments await boolean break byte case catch char class const continue debugger default delete do "
                            + "double else enum eval export extends false final finally float for function goto if implements "
                            + "import in instanceof int interface let long native new null package private protected public "
                            + "return short static super switch synchronized this throw throws transient true try typeof "
                            + "undefined var void volatile while with yield")
                    .split(" "));

    static final Set<String> N1QL = Set.of(
            ("advise all alter analyze and any array as asc begin between binary boolean break bucket build by call case "
                            + "cast cluster collate collection commit connect continue correlate cover create database dataset "
                            + "datastore declare decrement delete derived desc describe distinct do drop each element else end "
                            + "every except exclude execute exists explain false fetch first flatten for force from function "
                            + "grant group gsi having if ignore ilike in include increment index infer inline inner insert "
                            + "intersect into is join key keys keyspace known last left let letting like limit lsm map mapping "
                            + "matched materialized merge minus missing namespace nest not null number object offset on option "
                            + "or order outer over parse partition password path pool prepare primary private privilege "
                            + "procedure public raw realm reduce rename return returning revoke right role rollback satisfies "
                            + "schema select self semi set show some start statistics string system then to transaction trigger "
                            + "true truncate under union unique unknown unnest unset update upsert use user using validate value "
                            + "valued values via view when where while with within work xor")
                    .split(" "));

    /** Names that the engine defines in the global scope. */
    static final Set<String> BUILT_IN = Set.of(
            "log",
            "curl",
            "sql",
            "publish",
            "crc64",
            "createTimer",
            "cancelTimer",
            "couchbase",
            "N1QL",
            "N1qlQuery",
            "OnUpdate",
            "OnDelete",
            "OnDeploy",
            "KVError",
            "N1QLError",
            "EventingError",
            "CurlError",
            "SqlError");

    private final String what;
    private final Set<String> seen = new HashSet<>();

    /** @param what how a message calls one of the names */
    Aliases(String what) {
        this.what = what;
    }

    /** Adds an alias; fails with ERR_INVALID_CONFIG when it is invalid or already used. */
    void add(String alias) {
        if (alias.isEmpty()) {
            throw FunctionsException.invalidConfig("%s has no name; give each one a unique name.".formatted(what));
        }
        if (alias.length() > MAX_CHARS) {
            throw FunctionsException.invalidConfig("%s '%s…' has %d characters, at most %d are allowed."
                    .formatted(what, alias.substring(0, 20), alias.length(), MAX_CHARS));
        }
        if (!IDENTIFIER.matcher(alias).matches()) {
            throw FunctionsException.invalidConfig("%s '%s' is not a JavaScript identifier.".formatted(what, alias));
        }
        if (JAVASCRIPT.contains(alias)) {
            throw FunctionsException.invalidConfig("%s '%s' is a reserved word of JavaScript.".formatted(what, alias));
        }
        if (N1QL.contains(alias.toLowerCase(Locale.ROOT))) {
            throw FunctionsException.invalidConfig("%s '%s' is a reserved word of N1QL.".formatted(what, alias));
        }
        if (BUILT_IN.contains(alias)) {
            throw FunctionsException.invalidConfig(
                    "%s '%s' is the name of a built-in function.".formatted(what, alias));
        }
        if (!seen.add(alias)) {
            throw FunctionsException.invalidConfig("%s '%s' is used twice.".formatted(what, alias));
        }
    }
}
