package io.millrace.handler;

import java.util.LinkedHashMap;
import java.util.Map;

/** Bodies of OnUpdate that would end a process or never return, by name. */
final class Bombs {

    /** Run until they are stopped. */
    static final Map<String, String> ENDLESS = new LinkedHashMap<>();

    /** Hold more and more memory until they are stopped. */
    static final Map<String, String> GREEDY = new LinkedHashMap<>();

    /** End without being stopped, with a RangeError. */
    static final Map<String, String> DEEP = new LinkedHashMap<>();

    static {
        ENDLESS.put("while", "while (true) {}");
        ENDLESS.put("for", "for (;;);");
        ENDLESS.put("catch", "while (true) { try { while (true) {} } catch (e) {} }");
        ENDLESS.put("finally", "while (true) { try { while (true) {} } finally { continue; } }");
        ENDLESS.put("generator", "function* g() { while (true) yield 1; } for (const x of g());");
        ENDLESS.put("promise", "const f = () => Promise.resolve().then(f); f();");
        ENDLESS.put("async", "(async () => { while (true) await null; })();");
        ENDLESS.put("sort", "while (true) [3, 2, 1].sort(() => { while (true) {} });");
        ENDLESS.put("regex", "/^(a+)+$/.test('a'.repeat(40) + '!'); while (true) /(x+x+)+y/.test('x'.repeat(40));");
        ENDLESS.put("backreference", "while (true) /(?:(a*)*\\1)*b/.test('a'.repeat(40));");
        ENDLESS.put("recursion", "const f = () => { try { f(); } catch (e) {} while (true) {} }; f();");
        ENDLESS.put("getter", "const o = {get x() { while (true) {} }}; JSON.stringify(o);");
        ENDLESS.put("proxy", "const p = new Proxy({}, {get() { while (true) {} }}); p.x;");
        ENDLESS.put("toJSON", "b.x = {toJSON() { while (true) {} }};");
        ENDLESS.put("toJSON in view", "doc.o.toJSON = () => { while (true) {} }; b.x = doc;");
        ENDLESS.put("toString", "b[{toString() { while (true) {} }}] = 1;");
        ENDLESS.put(
                "error message",
                "throw {toString() { while (true) {} }, get message() { while (true) {} }, toJSON() { while (true) {}"
                        + " }};");
        ENDLESS.put("log", "log({toJSON() { while (true) {} }});");
        ENDLESS.put("bucket", "while (true) { b.k = doc; b.k; delete b.k; }");
        ENDLESS.put("document", "while (true) { doc.o.x = doc.n++; Object.keys(doc); }");

        ENDLESS.put("garbage", "while (true) new Array(1000);");
        ENDLESS.put(
                "garbage of strings",
                "let s = 'x'; while (true) { s += s + 'y'; s.charCodeAt(s.length >> 1); if (s.length > 1e6) s = 'x';"
                        + " }");

        GREEDY.put("array", "const a = []; while (true) a.push(new Array(1000).fill(a.length));");
        GREEDY.put(
                "string",
                "const a = []; let s = 'x'; while (true) { s += s + a.length; if (s.length > 1e6) {"
                        + " a.push(s.repeat(2)); s = 'x'; } }");
        GREEDY.put("map", "const m = new Map(); for (let i = 0; ; i++) m.set(i, {i});");
        GREEDY.put("catch", "const a = []; while (true) { try { while (true) a.push([1, 2, 3]); } catch (e) {} }");
        GREEDY.put("buffer", "const a = []; while (true) a.push(new ArrayBuffer(1 << 20));");
        GREEDY.put("closure", "let f = () => 1; while (true) { const g = f; f = () => g; }");
        GREEDY.put("document", "for (let i = 0; ; i++) doc.list[i] = {i};");
        GREEDY.put("members", "for (let i = 0; ; i++) doc['m' + i] = [i];");

        DEEP.put("function", "const f = (n) => 1 + f(n + 1); f(0);");
        DEEP.put("mutual", "const f = () => [g()], g = () => ({f: f()}); f();");
        DEEP.put("toJSON", "const o = {toJSON() { return JSON.stringify(o); }}; b.x = o;");
        DEEP.put("getter", "const o = {get x() { return o.x; }}; o.x;");
        DEEP.put("nested", "let a = []; for (let i = 0; i < 100000; i++) a = [a]; b.x = a;");
        DEEP.put("nested with view", "let a = doc; for (let i = 0; i < 100000; i++) a = {a}; b.x = a;");
        DEEP.put("nested in view", "for (let i = 0, o = doc; i < 100000; i++) { o.o = {o: {}}; o = o.o; } b.x = doc;");
        DEEP.put("read", "const f = () => { b.k; doc.o.x; doc.list.map(f); }; f();");
    }

    private Bombs() {}

    /** Wraps the bodies as one function that picks by meta.id, and does something useful for any other id. */
    static String code() {
        var code = new StringBuilder("function OnUpdate(doc, meta) { switch (meta.id) {\n");
        for (var bombs : java.util.List.of(ENDLESS, GREEDY, DEEP)) {
            bombs.forEach((name, body) -> code.append("case '")
                    .append(key(bombs, name))
                    .append("': { ")
                    .append(body)
                    .append(" } break;\n"));
        }
        return code.append("default: doc.n++; b.fine = doc; } }\n").toString();
    }

    static String key(Map<String, String> bombs, String name) {
        return (bombs == ENDLESS ? "endless " : bombs == GREEDY ? "greedy " : "deep ") + name;
    }

    static final String DOCUMENT = "{\"n\": 1, \"list\": [1], \"o\": {}}";
}
