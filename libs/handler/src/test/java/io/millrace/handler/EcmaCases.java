package io.millrace.handler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Operations on a value {@code v} of a document, made from the lists of ECMA-262: every function of Object, Reflect,
 * Array and of the prototypes of objects and arrays with several arguments on several values, alone and after the value
 * has been frozen, sealed, closed or written to, and the operators and statements that reach objects.
 */
final class EcmaCases {
    /** The value that each case gets. Integers as names, equal names and an empty name are the awkward ones. */
    static final String DOCUMENT = """
        {"type":"order","n":42,"big":12345678901234567890,"neg":-0,"f":0.5,"t":true,"z":null,"10":"ten","2":"two",
         "o":{"x":1,"y":{"z":[1,2]},"length":2,"0":"first","1":"second"},"empty":{},"none":[],"":"blank",
         "list":[3,1,2,"b","a",null,1.5],"nested":[{"k":1,"g":"a"},{"k":2,"g":"b"},[4,[5]],"text"],
         "text":"a\\u00e9\\n","dup":1,"__proto__":{"own":true},"toJSON":"no method","dup":2}\
        """;

    private static final List<String> VALUES = List.of("v", "v.o", "v.empty", "v.list", "v.nested", "v.none");

    /** What a function is called with, after the value that it is about. */
    private static final Map<String, List<String>> OBJECT = new LinkedHashMap<>();

    private static final Map<String, List<String>> REFLECT = new LinkedHashMap<>();
    private static final Map<String, List<String>> ARRAY = new LinkedHashMap<>();
    private static final Map<String, List<String>> OBJECT_PROTOTYPE = new LinkedHashMap<>();
    private static final Map<String, List<String>> ARRAY_PROTOTYPE = new LinkedHashMap<>();

    static {
        OBJECT.put("assign", List.of("", ", {n: 1, added: 2}", ", v.o, [7]"));
        OBJECT.put("create", List.of("", ", {own: {value: 1, enumerable: true}}"));
        OBJECT.put("defineProperties", List.of(", {n: {value: 1}, added: {get: () => 2, configurable: true}}"));
        OBJECT.put(
                "defineProperty",
                List.of(
                        ", 'n', {value: 1}",
                        ", 'n', {enumerable: false}",
                        ", 'n', {writable: false}",
                        ", 'x', {configurable: false}",
                        ", 'n', {get: () => 7}",
                        ", 'x', {get() { return this; }, set(to) { this.y = to; }, configurable: true}",
                        ", 'added', {value: {}}",
                        ", 0, {value: 'zero', writable: true, enumerable: true, configurable: true}",
                        ", 0, {enumerable: false}",
                        ", 'length', {value: 1}",
                        ", 'length', {writable: false}",
                        ", Symbol.iterator, {value: 1}",
                        ", 'n', {get: 1}"));
        OBJECT.put("entries", List.of(""));
        OBJECT.put("freeze", List.of(""));
        OBJECT.put("fromEntries", List.of(".length === undefined ? Object.entries(v) : [['a', v], ['b', 1]]"));
        OBJECT.put("getOwnPropertyDescriptor", List.of(", 'n'", ", 'x'", ", 0", ", 'length'", ", '__proto__'", ", ''"));
        OBJECT.put("getOwnPropertyDescriptors", List.of(""));
        OBJECT.put("getOwnPropertyNames", List.of(""));
        OBJECT.put("getOwnPropertySymbols", List.of(""));
        OBJECT.put("getPrototypeOf", List.of(""));
        OBJECT.put("groupBy", List.of(".values === undefined ? [v, v.o] : [1, v], (x) => typeof x"));
        OBJECT.put("hasOwn", List.of(", 'n'", ", 0", ", 'length'", ", 'toString'", ", '__proto__'"));
        OBJECT.put("is", List.of(", v", ", v.o", ", {}"));
        OBJECT.put("isExtensible", List.of(""));
        OBJECT.put("isFrozen", List.of(""));
        OBJECT.put("isSealed", List.of(""));
        OBJECT.put("keys", List.of(""));
        OBJECT.put("preventExtensions", List.of(""));
        OBJECT.put("seal", List.of(""));
        OBJECT.put("setPrototypeOf", List.of(", null", ", {inherited: 1}", ", Array.prototype", ", v.list", ", 1"));
        OBJECT.put("values", List.of(""));

        REFLECT.put("apply", List.of(".map ?? (() => 0), v.list, [(x) => x]"));
        REFLECT.put("construct", List.of(".map ?? Object, [v]"));
        REFLECT.put("defineProperty", List.of(", 'n', {value: 1}", ", 'added', {get: () => 1}", ", 0, {value: 5}"));
        REFLECT.put("deleteProperty", List.of(", 'n'", ", 'x'", ", 0", ", 'length'", ", 'missing'"));
        REFLECT.put("get", List.of(", 'n'", ", 0", ", 'length'", ", 'toString'", ", 'x', {}"));
        REFLECT.put("getOwnPropertyDescriptor", List.of(", 'n'", ", 0", ", 'missing'"));
        REFLECT.put("getPrototypeOf", List.of(""));
        REFLECT.put("has", List.of(", 'n'", ", 0", ", 'toString'", ", 'missing'"));
        REFLECT.put("isExtensible", List.of(""));
        REFLECT.put("ownKeys", List.of(""));
        REFLECT.put("preventExtensions", List.of(""));
        REFLECT.put("set", List.of(", 'n', 5", ", 'added', v", ", 0, 'zero'", ", 'length', 1", ", 'x', 1, {}"));
        REFLECT.put("setPrototypeOf", List.of(", null", ", {inherited: 1}", ", v"));

        ARRAY.put("from", List.of("", ", (x, i) => [i, x]"));
        ARRAY.put("fromAsync", List.of(" instanceof Array ? 'a' : 'b'"));
        ARRAY.put("isArray", List.of(""));
        ARRAY.put("of", List.of("", ", v.list, 1"));

        OBJECT_PROTOTYPE.put("__defineGetter__", List.of("'n', () => 8", "'0', () => 8"));
        OBJECT_PROTOTYPE.put("__defineSetter__", List.of("'n', () => 8"));
        OBJECT_PROTOTYPE.put("__lookupGetter__", List.of("'n'", "'__proto__'"));
        OBJECT_PROTOTYPE.put("__lookupSetter__", List.of("'n'"));
        OBJECT_PROTOTYPE.put("constructor", List.of("", "1"));
        OBJECT_PROTOTYPE.put("hasOwnProperty", List.of("'n'", "0", "'length'", "'missing'"));
        OBJECT_PROTOTYPE.put("isPrototypeOf", List.of("v", "Object.create(v)"));
        OBJECT_PROTOTYPE.put("propertyIsEnumerable", List.of("'n'", "0", "'length'", "'missing'"));
        OBJECT_PROTOTYPE.put("toLocaleString", List.of(""));
        OBJECT_PROTOTYPE.put("toString", List.of(""));
        OBJECT_PROTOTYPE.put("valueOf", List.of(""));

        String each = "(x, i, all) => { seen.push(x, i, all); return i % 2 === 0; }";
        String fold = "(sum, x, i, all) => { seen.push(sum, x, i, all); return i; }";
        ARRAY_PROTOTYPE.put("at", List.of("0", "-1", "99"));
        ARRAY_PROTOTYPE.put("concat", List.of("", "v.list, 1, [[2]]", "v.o"));
        ARRAY_PROTOTYPE.put("constructor", List.of("3", "1, 2"));
        ARRAY_PROTOTYPE.put("copyWithin", List.of("0, 1", "1, 0, 1", "-2, 0"));
        ARRAY_PROTOTYPE.put("entries", List.of(""));
        ARRAY_PROTOTYPE.put("every", List.of(each));
        ARRAY_PROTOTYPE.put("fill", List.of("'x'", "v, 1, 2", "0, -1"));
        ARRAY_PROTOTYPE.put("filter", List.of(each));
        ARRAY_PROTOTYPE.put("find", List.of(each));
        ARRAY_PROTOTYPE.put("findIndex", List.of(each));
        ARRAY_PROTOTYPE.put("findLast", List.of(each));
        ARRAY_PROTOTYPE.put("findLastIndex", List.of(each));
        ARRAY_PROTOTYPE.put("flat", List.of("", "Infinity"));
        ARRAY_PROTOTYPE.put("flatMap", List.of("(x) => [x, [x]]"));
        ARRAY_PROTOTYPE.put("forEach", List.of(each));
        ARRAY_PROTOTYPE.put("includes", List.of("1", "null", "v.nested[0]"));
        ARRAY_PROTOTYPE.put("indexOf", List.of("1", "v.nested[1]", "'a', 2"));
        ARRAY_PROTOTYPE.put("join", List.of("", "'-'"));
        ARRAY_PROTOTYPE.put("keys", List.of(""));
        ARRAY_PROTOTYPE.put("lastIndexOf", List.of("1", "'a'"));
        ARRAY_PROTOTYPE.put("map", List.of(each));
        ARRAY_PROTOTYPE.put("pop", List.of(""));
        ARRAY_PROTOTYPE.put("push", List.of("", "1", "v, {a: 1}"));
        ARRAY_PROTOTYPE.put("reduce", List.of(fold, fold + ", 'start'"));
        ARRAY_PROTOTYPE.put("reduceRight", List.of(fold, fold + ", 'start'"));
        ARRAY_PROTOTYPE.put("reverse", List.of(""));
        ARRAY_PROTOTYPE.put("shift", List.of(""));
        ARRAY_PROTOTYPE.put("slice", List.of("", "1", "-2, -1"));
        ARRAY_PROTOTYPE.put("some", List.of(each));
        ARRAY_PROTOTYPE.put("sort", List.of("", "(a, b) => String(b) < String(a) ? -1 : 1", "1"));
        ARRAY_PROTOTYPE.put("splice", List.of("", "1", "1, 1", "0, 0, 'a', v", "-1, 1, 'z'"));
        ARRAY_PROTOTYPE.put("toLocaleString", List.of(""));
        ARRAY_PROTOTYPE.put("toReversed", List.of(""));
        ARRAY_PROTOTYPE.put("toSorted", List.of("", "(a, b) => String(a) < String(b) ? -1 : 1"));
        ARRAY_PROTOTYPE.put("toSpliced", List.of("1, 1", "0, 0, v"));
        ARRAY_PROTOTYPE.put("toString", List.of(""));
        ARRAY_PROTOTYPE.put("unshift", List.of("", "0, v"));
        ARRAY_PROTOTYPE.put("values", List.of(""));
        ARRAY_PROTOTYPE.put("with", List.of("0, 'w'", "-1, v", "99, 1"));
        ARRAY_PROTOTYPE.put("length", List.of());
    }

    /** Done to a value before an operation. */
    private static final List<String> BEFORE = List.of(
            "Object.freeze(x)",
            "Object.seal(x)",
            "Object.preventExtensions(x)",
            "Object.setPrototypeOf(x, {inherited: 1, set n(to) { this.set = to; }})",
            "Object.setPrototypeOf(x, null)",
            "x.added = {more: [1]}",
            "delete x[0]",
            "x[0] = 'zero'",
            "x[9] = 'nine'",
            "x.length = 1",
            "Object.defineProperty(x, 'x', {get: () => 'got', enumerable: true, configurable: true})",
            "Object.defineProperty(x, 0, {value: 'fixed', enumerable: false})");

    /** Operators, statements and built-ins that reach an object, {@code x}. */
    private static final List<String> OPERATIONS = List.of(
            "x.n = 1",
            "x.x++",
            "x[0] = 1",
            "x.length = 0",
            "x.added = 1",
            "delete x.x",
            "delete x[0]",
            "delete x.length",
            "delete x.missing",
            "'x' in x",
            "0 in x",
            "'inherited' in x",
            "x instanceof Object",
            "x instanceof Array",
            "typeof x",
            "Object.keys(x)",
            "const names = []; for (const name in x) names.push(name); return names",
            "const items = []; for (const item of x) items.push(item); return items",
            "({...x})",
            "[...x]",
            "const {x: one, ...rest} = x; return [one, rest]",
            "const [one, , ...rest] = x; return [one, rest]",
            "JSON.stringify(x)",
            "JSON.stringify(x, null, 2)",
            "JSON.stringify(x, ['x', 'k', 0])",
            "JSON.stringify(x, (key, value) => Array.isArray(value) ? value.length : value)",
            "JSON.parse(JSON.stringify(x), function (key, value) { return key === 'x' ? undefined : value; })",
            "Object.prototype.toString.call(x)",
            "String(x)",
            "`${x}`",
            "x + ''",
            "+x",
            "x == x",
            "x === v.o",
            "Object.assign({}, x)",
            "Object.assign(x, {x: 5, more: 6})",
            "Object.create(x).x",
            "const below = Object.create(x); below.x = 'own'; return [below, x]",
            "const below = Object.create(x); below[0] = 'own'; return [below, x]",
            "new Proxy(x, {}).x",
            "const names = []; for (const name in new Proxy(x, {})) names.push(name); return names",
            "new Map([[x, 1]]).get(x)",
            "new WeakMap([[x, 1]]).get(x)",
            "new WeakSet([x]).has(x)",
            "new WeakRef(x).deref() === x",
            "new Set([x, x]).size",
            "new Set(x).size",
            "class Keep { constructor(o) { return o; } } class Mark extends Keep { #m = 3; static of(o) { return o.#m;"
                    + " } } new Mark(x); return Mark.of(x)",
            "x[Symbol.for('s')] = 1; return x[Symbol.for('s')]",
            "x[Symbol.toPrimitive] = () => 42; return +x",
            "x[Symbol.toStringTag] = 'Tag'; return String(Object.prototype.toString.call(x))",
            "x[Symbol.isConcatSpreadable] = !Array.isArray(x); return [0].concat(x)",
            "x.toJSON = () => 'replaced'; return JSON.stringify([x])",
            "x.valueOf = () => 5; return x * 2",
            "x.__proto__ = {changed: 1}; return [x.changed, Object.keys(x)]",
            "x.f = function () { return this === x; }; return x.f()",
            "x.big = 10n; return typeof x.big",
            "x.date = new Date(0); return x.date.getTime()",
            "x.self = x; return x.self === x",
            "for (let i = 0; i < 300; i++) x[`k${i % 7}-${i}`] = i; x.x = [x.x]; delete x.y; return JSON.stringify(x)",
            "for (const name of Object.keys(x)) { x[name + '!'] = x[name]; delete x[name]; } return x",
            "for (const name of Object.keys(x)) Object.defineProperty(x, name, {enumerable: false}); return {...x}",
            "x.x ??= 1; x.more ||= 2; x.y &&= 3; return x",
            "x?.y?.z?.[1]",
            "x.y.z.push(3); return x.y",
            "with_(x)",
            "Object.entries(x).map(([name, value]) => `${name}=${value}`)",
            "Math.max(...x)",
            "Array.prototype.concat.call(x, [1])",
            "Array.prototype.push.call(x, 'pushed')",
            "Array.prototype.pop.call(x)",
            "Array.prototype.splice.call(x, 0, 1, 'a', 'b')",
            "Array.prototype.sort.call(x)",
            "structured(x)",
            "Object.isFrozen(x)",
            "Object.isSealed(x)",
            "Object.isExtensible(x)",
            "Object.getOwnPropertyDescriptor(x, 'x')",
            "Object.getOwnPropertyDescriptor(x, 0)",
            "Reflect.ownKeys(x)");

    /** How many of them, the first ones, are also done after each of {@link #BEFORE}. */
    private static final int OPERATIONS_AFTER = 23;

    private EcmaCases() {}

    /** The functions that are called, by the object that has them. */
    static Map<String, Map<String, List<String>>> functions() {
        Map<String, Map<String, List<String>>> all = new LinkedHashMap<>();
        all.put("Object", OBJECT);
        all.put("Reflect", REFLECT);
        all.put("Array", ARRAY);
        all.put("Object.prototype", OBJECT_PROTOTYPE);
        all.put("Array.prototype", ARRAY_PROTOTYPE);
        return all;
    }

    /**
     * A case.
     *
     * @param value the value that the operation is about, as an expression of {@code v}
     * @param body of a function of {@code v} and {@code seen}, an array for what callbacks are called with
     */
    record Case(String value, String body) {}

    static List<Case> all() {
        var cases = new ArrayList<Case>();
        for (var value : VALUES) {
            functions()
                    .forEach((owner, functions) -> functions.forEach((name, arguments) -> {
                        for (var given : arguments) {
                            cases.add(new Case(
                                    value,
                                    owner.endsWith("prototype")
                                            ? "return %s.%s.call(%s%s)"
                                                    .formatted(owner, name, value, given.isEmpty() ? "" : ", " + given)
                                            : "return %s.%s(%s%s)".formatted(owner, name, value, given)));
                        }
                    }));
            for (var operation : OPERATIONS) {
                cases.add(new Case(value, "const x = %s; %s".formatted(value, returned(operation))));
            }
        }
        for (var value : List.of("v.o", "v.list")) {
            for (var before : BEFORE) {
                for (int i = 0; i < OPERATIONS_AFTER; i++) {
                    String body = "const x = %s; %s; %s".formatted(value, before, returned(OPERATIONS.get(i)));
                    cases.add(new Case(value, body));
                }
            }
        }
        return cases;
    }

    /** Returns each so-manieth case; if the step does not divide the number of operations, each operation is among them. */
    static List<Case> every(int step) {
        List<Case> all = all();
        return IntStream.range(0, all.size() / step)
                .mapToObj(i -> all.get(i * step))
                .toList();
    }

    private static String returned(String operation) {
        return operation.contains("return ") ? operation : "return " + operation;
    }
}
