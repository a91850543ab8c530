package io.millrace.handler;

import static io.millrace.handler.Fixture.meta;
import static io.millrace.handler.Fixture.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares a document as a view with the same document as plain objects from JSON.parse. */
class DocumentFidelityTest {
    private static final String DOCUMENT = """
        {"type": "order", "n": 42, "big": 12345678901234567890, "neg": -0, "e": 1.5e3, "f": 0.1, "t": true, "z": null,
         "empty": {}, "none": [], "text": "a\\u00e9\\n\\"\\uD83D\\uDE00", "10": "ten", "2": "two", "zeta": 1, "alpha": 2,
         "arr": [3, 1, 2, {"k": "v"}, [4, 5]], "names": ["b", "a", "c"], "o": {"x": 1, "y": {"z": [1, 2]}},
         "dup": 1, "after": 0, "dup": 2, "": "blank"}\
        """;

    /** Each evaluates an expression or statements with a result; {@code d} is the document. */
    private static final List<String> SAME = List.of(
            "d.type",
            "d.n + 1",
            "d.big",
            "typeof d.big",
            "Object.is(d.neg, -0)",
            "d.e",
            "d.f * 3",
            "d.t === true",
            "d.z === null",
            "typeof d.z",
            "typeof d.o",
            "d.z == undefined",
            "d.z ?? 'fallback'",
            "d.missing",
            "d.missing?.deeper",
            "d.missing.deeper",
            "d.z.deeper",
            "d.text",
            "d.text.length",
            "d['']",
            "d[10]",
            "d['10']",
            "d.dup",
            "Object.keys(d)",
            "Object.values(d.o)",
            "Object.entries(d.empty)",
            "Object.keys(d.arr)",
            "Object.getOwnPropertyNames(d)",
            "Reflect.ownKeys(d.o)",
            "const keys = []; for (const k in d) keys.push(k); return keys",
            "const items = []; for (const v of d.names) items.push(v); return items",
            "'n' in d",
            "'missing' in d",
            "1 in d.names",
            "9 in d.names",
            "'toString' in d",
            "d.hasOwnProperty('n')",
            "d.hasOwnProperty('missing')",
            "Object.hasOwn(d, 'n')",
            "d.toString()",
            "String(d)",
            "`${d.arr}`",
            "d.names + ''",
            "d.constructor === Object",
            "d.arr.constructor === Array",
            "d instanceof Object",
            "d.arr instanceof Array",
            "Object.prototype.toString.call(d.arr)",
            "Array.isArray(d.arr)",
            "Array.isArray(d)",
            "d.o === d.o",
            "d.o === d.o.y",
            "d.o.y.z[1]",
            "const {n, o: {y, ...rest}, ...others} = d; return [n, y, rest, Object.keys(others)]",
            "const [first, , third, ...rest] = d.arr; return [first, third, rest]",
            "({...d}).n",
            "Object.keys({...d})",
            "[...d.names, 'd']",
            "Math.max(...d.arr.slice(0, 3))",
            "Object.assign({}, d.o)",
            "JSON.stringify(d.arr)",
            "JSON.stringify(d.o, null, 2)",
            "JSON.stringify(d, ['n', 'o', 'x'])",
            "JSON.stringify({a: d.o, b: [d.names]})",
            "JSON.stringify(d, (k, v) => typeof v === 'number' ? v * 2 : v).length",
            "JSON.parse(JSON.stringify(d)).o.y.z",
            "d.arr.length",
            "d.arr.map((x) => typeof x)",
            "d.names.map((x, i, all) => x + i + all.length)",
            "d.arr.filter((x) => x > 1)",
            "d.arr.find((x) => x.k === 'v').k",
            "d.arr.findIndex((x) => x === 2)",
            "d.arr.findLast((x) => x < 3)",
            "d.arr.indexOf(2)",
            "d.arr.indexOf(d.arr[3])",
            "d.arr.includes(d.arr[4])",
            "d.names.lastIndexOf('c')",
            "d.arr.slice(1, 3)",
            "d.arr.at(-1)",
            "d.arr.concat([9], d.names)",
            "[0].concat(d.names)",
            "d.names.join('-')",
            "d.arr.flat()",
            "d.names.flatMap((x) => [x, x])",
            "d.names.reduce((a, x) => a + x, '')",
            "d.names.reduceRight((a, x) => a + x)",
            "d.arr.some((x) => x === 1)",
            "d.names.every((x) => x.length === 1)",
            "[...d.names.entries()]",
            "[...d.names.keys()]",
            "d.names.toSorted()",
            "d.names.toReversed()",
            "d.names.with(1, 'z')",
            "d.names.toSpliced(1, 1)",
            "Array.from(d.names)",
            "Array.from(d.names, (x) => x + x)",
            "new Set(d.names).size",
            "new Map(Object.entries(d.o)).get('x')",
            "new Map([[d.o, 1]]).get(d.o)",
            "Object.fromEntries(Object.entries(d.o))",
            "let seen = ''; d.names.forEach((x) => { seen += x; }); return seen",
            "d.arr[99]",
            "d.arr['1']",
            "d.arr[-1]",
            "d.arr.foo",
            "d?.[Symbol.iterator]",
            "typeof d.arr[Symbol.iterator]",
            "d[Symbol('s')]",
            "isNaN(d)",
            "!d",
            "d == d.o",
            // changes
            "d.n = 43; return d",
            "d.n++; return d.n",
            "d.added = 'x'; return Object.keys(d)",
            "d['5'] = 'five'; d[1] = 'one'; d['01'] = 'no index'; return Object.keys(d)",
            "d.o.y.z.push(3); return d",
            "d.o.added = {deep: [1, {two: 2}]}; return d.o",
            "d.added = {}; d.added.x = 1; return d.added",
            "const o = {}; d.added = o; o.later = 1; return d.added.later",
            "const o = {}; d.added = o; return d.added === o",
            "const f = () => 1; d.f = f; return [d.f === f, d.f(), JSON.stringify(d.f)]",
            "d.u = undefined; return ['u' in d, d.u, Object.keys(d).includes('u')]",
            "d.nul = null; return d",
            "d.nan = NaN; d.inf = -Infinity; return [d.nan, JSON.stringify(d.inf)]",
            "d.zero = -0; return Object.is(d.zero, -0)",
            "d.num = 1e21; d.small = 1.5e-7; d.third = 1 / 3; return d",
            "d.when = new Date(0); return d",
            "d.when = new Date(0); return d.when instanceof Date",
            "d.boxed = [new Number(1), new String('s'), new Boolean(false)]; return d.boxed",
            "d.copy = d.o; d.copy.x = 9; return d.o.x",
            "d.list = d.names; d.list.push('q'); return [d.names.length, d.list === d.names]",
            "const o = d.o; delete d.o; o.x = 5; return [d.o, o]",
            "delete d.n; return ['n' in d, d.n, Object.keys(d).length]",
            "return delete d.missing",
            "return delete d.n",
            "for (const k in d) delete d[k]; return d",
            "d.o.toJSON = function () { return {replaced: this.x}; }; return d",
            "d.arr[3].toJSON = () => 'j'; return [d.arr]",
            "d.sym = Symbol('x'); d.fn = () => 1; d.list = [undefined, () => 1, Symbol()]; return d",
            "d.text = 'q\"\\\\\\u0001\\u2028\\ud800 \\ud83d\\ude00'; return d.text",
            "d.self = d; try { JSON.stringify(d); } catch (e) { return e.name; }",
            "d.arr.push(6, {seven: 7}); return d.arr",
            "return d.arr.push()",
            "return [d.arr.pop(), d.arr]",
            "return [d.arr.shift(), d.arr]",
            "return [d.arr.unshift(0, {z: 1}), d.arr]",
            "return [d.none.pop(), d.none.shift(), d.none.length]",
            "return [d.arr.splice(1, 2), d.arr]",
            "return [d.arr.splice(1, 0, 'a', 'b'), d.arr]",
            "return [d.arr.splice(-2), d.arr]",
            "d.names.sort(); return d.names",
            "d.names.sort((a, b) => a < b ? 1 : -1); return d.names",
            "d.names.reverse(); return d.names",
            "d.names.fill('x', 1); return d.names",
            "d.names.copyWithin(0, 1); return d.names",
            "d.names.length = 1; return d.names",
            "d.names.length = 0; return [d.names, d.names.length]",
            "d.names.length = 5; return d.names",
            "d.names[5] = 'far'; return [d.names.length, d.names]",
            "d.names[1] = {k: 1}; d.names[1].k++; return d.names",
            "delete d.o.y; return d.o",
            "Object.assign(d.o, {x: 2, w: 3}); return d.o",
            "[d.n, d.zeta] = [d.zeta, d.n]; return [d.n, d.zeta]",
            "d.o.y.z[0]++; d.o.y.z[1] += 'x'; return d.o",
            "d.list ??= []; d.list.push(1); d.list.push({a: d.o}); return d.list",
            "d.__proto__ = {inherited: 1}; return Object.keys(d).includes('__proto__')",
            "const c = JSON.parse(JSON.stringify(d)); c.n = 0; return d.n",
            "d.dup = 3; return Object.keys(d).filter((k) => k === 'dup').length",
            "delete d.dup; return d.dup",
            "Reflect.set(d, 'n', 7); return [d.n, Reflect.has(d, 'n'), Reflect.get(d, 'n'), Reflect.deleteProperty(d,"
                    + " 'n')]",
            "return Object.groupBy(d.names, (x) => x === 'a' ? 'yes' : 'no')",
            "return d.names.values().map((x) => x + '!').toArray()",
            "switch (d.type) { case 'order': return 'matched'; default: return 'not'; }",
            "return Number.isInteger(d.n) && Number.isSafeInteger(d.n) && (d.n | 0) === 42 && d.n << 1 === 84",
            "return d.type.toUpperCase() + d.type.split('r').length + d.type.replace(/o/, '0')",
            "const keys = []; for (const k in d.names) keys.push(typeof k); return keys[0]",
            "Object.hasOwn(d.arr, 0)",
            "d.propertyIsEnumerable('n')",
            "Object.getPrototypeOf(d.arr) === Array.prototype",
            "new WeakMap([[d.o, 1]]).get(d.o)",
            "Object.isExtensible(d)",
            "Object.isFrozen(Object.freeze(d)); d.n = 1; return d.n",
            "d.arr.foo = 1; return d.arr.foo",
            "Object.defineProperty(d, 'n', {get: () => 7}); return d.n",
            "Object.defineProperty(d, 'n', {get: () => 7, enumerable: true}); d.o.x = 1; return d",
            "d.x = 10n; return typeof d.x",
            "d[Symbol.for('s')] = 1; return d[Symbol.for('s')]",
            "delete d.arr[0]; return d.arr",
            "Object.setPrototypeOf(d.o, {toJSON() { return 'proto'; }}); return d.o",
            "Object.setPrototypeOf(d.arr, {toJSON() { return 'proto'; }}); return [d.arr]",
            "Object.freeze(d.o); return d.o",
            "Object.freeze(d.arr); return [d.arr]",
            "Object.defineProperty(d.o, 'x', {enumerable: false}); return d.o",
            "d.o.x = {toJSON: (key) => key}; d.arr[1] = {toJSON: (key) => key}; return d");

    @TestFactory
    Stream<DynamicTest> view_behavesAsPlainObjects() {
        var cases = new ArrayList<>(SAME);
        var views = results(false, cases);
        var plain = results(true, cases);
        return Stream.iterate(0, i -> i < cases.size(), i -> i + 1)
                .map(i -> dynamicTest(
                        cases.get(i),
                        () -> assertThat(views.get(i)).as(cases.get(i)).isEqualTo(plain.get(i))));
    }

    private static List<String> results(boolean strict, List<String> cases) {
        var code = new StringBuilder("function OnUpdate(d, meta) { switch (meta.vb) {\n");
        for (int i = 0; i < cases.size(); i++) {
            var body = cases.get(i).contains("return ") ? cases.get(i) : "return " + cases.get(i);
            code.append("case ")
                    .append(i)
                    .append(": report(d, () => {")
                    .append(body)
                    .append("\n}); break;\n");
        }
        code.append("""
            } }
            function report(d, body) {
              let result;
              try {
                result = body();
              } catch (e) {
                result = `threw ${e.name}`;
              }
              log(typeof result, Object.is(result, -0) ? '-0' : String(result), stringify(result));
              b.result = [result];
              b.document = d;
            }
            function stringify(value) {
              try {
                return JSON.stringify(value);
              } catch (e) {
                return `threw ${e.name}`;
              }
            }
            """);
        var fixture = new Fixture().strict(strict);
        List<Observed> observed = fixture.with(
                code.toString(),
                thread -> Stream.iterate(0, i -> i < cases.size(), i -> i + 1)
                        .map(i -> {
                            fixture.host.lines.clear();
                            fixture.host.documents.clear();
                            var meta = new EventMeta("", "", "", "", 0, i, 0, 0, 0, false);
                            var outcome = thread.onUpdate(meta, utf8(DOCUMENT), null);
                            String failure = outcome instanceof InvocationResult.Threw threw ? threw.message() : "";
                            return new Observed(
                                    fixture.host.lines + "\n" + failure,
                                    fixture.host.text("b", "result"),
                                    fixture.host.text("b", "document"));
                        })
                        .toList());
        return normalized(observed);
    }

    private record Observed(
            String lines, @Nullable String result, @Nullable String document) {}

    /** Normalizes what views preserve: white space, number spelling and duplicates of untouched values. */
    private static List<String> normalized(List<Observed> observed) {
        var fixture = new Fixture().strict(true);
        return fixture.with(
                "function OnUpdate(doc) { b.x = doc; }",
                thread -> observed.stream()
                        .map(one -> one.lines() + "\n" + normalized(fixture, thread, one.result()) + "\n"
                                + normalized(fixture, thread, one.document()))
                        .toList());
    }

    private static String normalized(Fixture fixture, HandlerThread thread, @Nullable String json) {
        fixture.host.documents.clear();
        if (json != null) {
            assertThat(thread.onUpdate(meta("x"), utf8(json), null)).isInstanceOf(InvocationResult.Success.class);
        }
        return String.valueOf(fixture.host.text("b", "x"));
    }
}
