package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that tries to escape the sandbox. */
class EscapeTest {
    private final Fixture function = new Fixture();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Java",
                "Packages",
                "java",
                "javax",
                "com",
                "Polyglot",
                "Graal",
                "load",
                "loadWithNewGlobal",
                "print",
                "printErr",
                "quit",
                "exit",
                "read",
                "readFully",
                "require",
                "module",
                "process",
                "importScripts",
                "Worker",
                "WebAssembly",
                "SharedArrayBuffer",
                "Atomics",
                "ShadowRealm",
                "Debug",
                "Interop",
                "$262",
                "setTimeout",
                "fetch",
                "performance",
                "arguments"
            })
    void global_doesNotExist(String name) {
        function.run("log(typeof globalThis['" + name + "'])");

        assertThat(function.host.lines).containsExactly("INFO \"undefined\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eval('1')",
                "(0, eval)('1')",
                "globalThis.eval('1')",
                "new Function('return 1')()",
                "Function('return 1')()",
                "(() => 1).constructor('return 1')()",
                "(function* () {}).constructor('yield 1')().next()",
                "(async () => 1).constructor('return 1')()",
                "Reflect.construct(Function, ['return 1'])()",
                "[].map.constructor('return 1')()",
                "b.constructor.constructor('return 1')()",
                "log.constructor('return 1')()",
                "doc.constructor.constructor('return 1')()",
                "class F extends Function { constructor() { super('return 1'); } } new F()()"
            })
    void codeFromStrings_isRefused(String expression) {
        var outcome = function.run(expression.startsWith("class") ? expression : "log(" + expression + ")");

        assertThat(outcome).isInstanceOf(InvocationResult.Threw.class);
        assertThat(function.host.lines).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "doc.getClass",
                "doc.class",
                "doc.o.getClass",
                "doc.list.getClass",
                "doc.wait",
                "doc.list.hashCode",
                "doc.guest",
                "doc.index",
                "doc.markChanged",
                "doc.list.slots",
                "b.getClass",
                "log.getClass",
                "log.class",
                "console.log.apply.getClass",
                "meta.getClass",
                "meta.constructor.getClass",
                "doc.constructor.class",
                "Object.getPrototypeOf(doc).getClass",
                "Object.getPrototypeOf(doc.list).getClass",
                "doc.list[Symbol.iterator]().getClass",
                "(() => { try { b[Symbol()] } catch (e) { return e.getClass || e.constructor.class } })()",
                "(() => { try { JSON.parse('{') } catch (e) { return e.getClass || e.cause } })()",
                "(() => { try { doc.list.foo = 1 } catch (e) { return e.getClass || e.cause || e.javaException } })()",
                "(() => { try { doc.list[1e12] = 1 } catch (e) { return e.getClass || e.cause } })()"
            })
    void hostObject_showsNothingOfItself(String expression) {
        var outcome = function.update(
                "function OnUpdate(doc, meta) { log(typeof (" + expression + ")) }", "{\"o\": {}, \"list\": [1]}");

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(function.host.lines).containsExactly("INFO \"undefined\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"import('fs')", "import('file:///etc/passwd')", "import('data:text/javascript,1')"})
    void dynamicImport_isRefused(String expression) {
        assertThat(function.compile("function OnUpdate() {\n  return () => " + expression + ";\n}"))
                .isEqualTo(new HandlerRejected("import is not available to functions", 2, 16));
    }

    @Test
    void everyGlobal_isKnown() {
        function.run("""
                const known = new Set(`Object Function Array String Date Number Boolean RegExp Math JSON NaN Infinity undefined
                  isNaN isFinite parseFloat parseInt encodeURI encodeURIComponent decodeURI decodeURIComponent eval escape
                  unescape Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError ArrayBuffer
                  Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array
                  Float32Array Float64Array BigInt64Array BigUint64Array DataView BigInt Map Set WeakMap WeakSet Symbol Reflect
                  Proxy Promise Iterator globalThis WeakRef FinalizationRegistry Intl
                  log console couchbase N1QL N1qlQuery ANALYTICS sql SqlError db publish news
                  crc64 curl createTimer cancelTimer EventingError KVError N1QLError CurlError b source many api OnUpdate`.split(/\\s+/));
                known.add(Symbol.toStringTag);
                log(Reflect.ownKeys(globalThis).filter((name) => !known.has(name)).map(String));""");

        assertThat(function.host.lines).containsExactly("INFO []");
    }

    @Test
    void replacedBuiltins_hurtOnlyTheirAuthor() {
        var outcome = function.with("""
                function OnUpdate(doc, meta) {
                  if (meta.id === 'spoil') {
                    JSON.stringify = () => 'spoilt';
                    Array.prototype.push = Object.keys = Reflect.apply = () => { throw 1; };
                    Object.prototype.toJSON = undefined;
                    Array.prototype[Symbol.iterator] = () => { throw 2; };
                    globalThis.log = globalThis.KVError = globalThis.Error = undefined;
                  } else {
                    console.log({a: 1}, doc);
                    b.x = {a: [doc]};
                    b.y = doc;
                  }
                }""", thread -> {
            thread.onUpdate(Fixture.meta("spoil"), Fixture.utf8("{}"), null);
            return thread.onUpdate(Fixture.meta("use"), Fixture.utf8("{\"k\":1.0}"), null);
        });

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(function.host.lines).containsExactly("INFO {\"a\":1} {\"k\":1.0}");
        assertThat(function.host.text("b", "x")).isEqualTo("{\"a\":[{\"k\":1.0}]}");
        assertThat(function.host.text("b", "y")).isEqualTo("{\"k\":1.0}");
    }

    @Test
    void prototypeOfViews_isSharedLikeThatOfObjects() {
        var outcome = function.update("""
                function OnUpdate(doc) {
                  Object.prototype.polluted = 'p';
                  log(doc.polluted, 'polluted' in {}, Object.keys(doc));
                  b.x = doc;
                  delete Object.prototype.polluted;
                }""", "{\"a\":1}");

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(function.host.text("b", "x")).isEqualTo("{\"a\":1}");
        assertThat(function.host.lines).containsExactly("INFO \"p\" true [\"a\"]");
    }

    @Test
    void contexts_shareNothing() {
        function.run("Object.prototype.leak = 1; globalThis.leak2 = 2;");
        function.run("log(typeof {}.leak, typeof leak2)");

        assertThat(function.host.lines).containsExactly("INFO \"undefined\" \"undefined\"");
    }
}
