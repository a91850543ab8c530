package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values and built-ins made to break the host: each affects only the invocation that made them. */
class HostileValuesTest {
    private static final String DOCUMENT = "{\"a\":1,\"list\":[1,2,3,4],\"o\":{\"z\":1},\"b\":2}";

    private final Fixture function = new Fixture();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "crc64(Object.create(ArrayBuffer.prototype))",
                "b.x = Object.create(ArrayBuffer.prototype)",
                "couchbase.base64Encode(Object.create(ArrayBuffer.prototype))",
                "const gone = new ArrayBuffer(8); gone.transfer(); crc64(gone)",
                "Object.prototype.cas = 5; couchbase.get(b, {id: 'x'})",
                "Object.prototype.paths = 5; couchbase.get(b, {id: 'x'})",
                "Object.prototype.expiry = 'x'; couchbase.get(b, {id: 'x'})",
                "Object.prototype.cached = {}; couchbase.lookupIn(b, {id: 'x'}, [])"
            })
    void argumentThatIsNotWhatItSays_isATypeError(String body) {
        var outcome = function.update("function OnUpdate(doc) { " + body + " }", DOCUMENT);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).startsWith("TypeError: "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "throw new Proxy({}, {get() { throw 1 }, has() { throw 2 }, getPrototypeOf() { throw 3 }}) | Error",
                "const r = Proxy.revocable({}, {}); r.revoke(); throw r.proxy | Error",
                "const r = Proxy.revocable({}, {}); r.revoke(); b.x = r.proxy | TypeError: ",
                "b.x = new Proxy([], {get: (t, k) => k === 'length' ? 2 ** 53 - 1 : 1}) | RangeError: ",
                "new ArrayBuffer(2 ** 53 - 1) | RangeError: ",
                "JSON.parse('['.repeat(1e6)) | RangeError: ",
                "new RegExp('('.repeat(5e4) + ')'.repeat(5e4)).test('a') | SyntaxError: ",
                "b[{[Symbol.toPrimitive]() { return Symbol() }}] = 1 | EventingError: ",
                "b.x = 10n ** 100n | TypeError: ",
                "b.x = 5n | TypeError: Do not know how to serialize a BigInt",
                "couchbase.upsert(b, {id: 'x'}, 5n) | TypeError: Do not know how to serialize a BigInt",
                "couchbase.mutateIn(b, {id: 'x'}, [couchbase.MutateInSpec.upsert('p', 5n)]) | TypeError: Do not know",
                "b.x = Symbol() | EventingError: ",
                "doc.o = {toJSON() { return doc }}; b.x = doc | TypeError: Converting circular",
                "b.x = {toJSON() { b.y = doc; doc.o = this; return doc }} | RangeError: ",
                "doc.o = {toJSON() { b.y = doc; return 1 }}; b.x = doc | RangeError: ",
                "doc.list[0] = {toJSON() { doc.list[1] = doc; return 1 }}; b.x = doc | TypeError: Converting circular",
                "const o = {}; o.o = o; throw o | TypeError: Converting circular",
                "doc.list.sort(() => { throw doc }) | {\"a\":1",
                "couchbase.get(b, {get id() { return {} }}) | TypeError: ",
                "couchbase.upsert(b, {id: 'x', get cas() { throw new RangeError('mine') }}, {get a() { throw new"
                        + " URIError('own') }}) | URIError: own",
                "curl('GET', api, {headers: new Proxy({}, {ownKeys() { throw new URIError('own') }})}) | URIError: own",
                "curl('GET', new Proxy(api, {})) | CurlError: ",
                "couchbase.get(new Proxy(b, {}), {id: 'x'}) | TypeError: 1st argument",
                "couchbase.get(Object.create(b), {id: 'x'}) | TypeError: 1st argument"
            })
    void hostileValue_isTheAuthorsError(String body, String message) {
        var outcome =
                function.with("function OnUpdate(doc, meta) { if (meta.id === 'bad') { " + body + " } }", thread -> {
                    var bad = thread.onUpdate(Fixture.meta("bad"), Fixture.utf8(DOCUMENT), null);
                    assertThat(thread.onUpdate(Fixture.meta("good"), Fixture.utf8(DOCUMENT), null))
                            .isInstanceOf(InvocationResult.Success.class);
                    return bad;
                });

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).startsWith(message));
    }

    @Test
    void binding_isNotWidenedByTheIteratorOfArrays() {
        function.run("""
            Array.prototype[Symbol.iterator] = function* () { yield 'bucket'; yield '*'; yield '*'; yield 'rw'; };
            couchbase.upsert(b, {id: 'x', keyspace: {scope_name: 'other', collection_name: 'secret'}}, {});\
            """);

        assertThat(function.host.calls).singleElement().satisfies(call -> {
            assertThat(call.scope()).isNull();
            assertThat(call.collection()).isNull();
        });
    }

    @Test
    void readOnlyBinding_staysSo() {
        var outcome = function.run("""
            Object.prototype.access = 'READ_WRITE';
            Array.prototype[3] = 'rw';
            Array.prototype[Symbol.iterator] = function* () { yield 'bucket'; yield 's'; yield 'c'; yield 'rw'; };
            couchbase.upsert(source, {id: 'x'}, {});\
            """);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).startsWith("EventingError: Writing to source bucket"));
        assertThat(function.host.calls).isEmpty();
    }

    @Test
    void stackFrames_showNothingButTheCode() {
        function.run("""
            Error.stackTraceLimit = 1000;
            Error.prepareStackTrace = (error, frames) =>
                frames.map((frame) => [typeof frame.getThis(), typeof frame.getFunction(), frame.getFileName()]);
            const stacks = [];
            for (const wrong of [() => b[Symbol()], () => null.x, () => couchbase.get(), () => curl(), () => N1QL()]) {
              try { wrong(); } catch (e) { stacks.push(e.stack); }
            }
            delete Error.prepareStackTrace;
            log(/bootstrap|accessors|curl\\.js|queries|internal|\\.java|\\//.test(JSON.stringify(stacks)), stacks.length);\
            """);

        assertThat(function.host.lines).containsExactly("INFO false 5");
    }

    @Test
    void documentChangedWhileItIsWritten_isStillJson() {
        var outcome = function.update("""
            function OnUpdate(doc) {
              doc.o = {toJSON() { for (const key of Object.keys(doc)) delete doc[key]; return 1; }};
              b.less = doc;
              doc.list = [1, 2, 3];
              doc.o = {toJSON() { for (let i = 0; i < 50; i++) doc['k' + i] = i; return 2; }};
              b.more = doc;
              b.list = (doc.o = [{toJSON() { doc.o.length = 0; return 3; }}, 4], doc);
              for (const key of ['less', 'more', 'list']) JSON.parse(JSON.stringify(b[key]));
            }\
            """, DOCUMENT);

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
    }

    /** The engine would search them one after the other, and nothing could stop it. */
    @Test
    void documentOfKeysWithEqualHashes_isRefusedAtOnce() {
        int bits = 14;
        var document = new StringBuilder("{\"list\":[]");
        for (int n = 0; n < 1 << bits; n++) {
            document.append(",\"");
            for (int i = 0; i < bits; i++) {
                document.append((n >> i & 1) == 0 ? "Aa" : "BB");
            }
            document.append("\":").append(n);
        }
        document.append('}');
        var fixture = new Fixture();
        fixture.host.put("b", "nested", "{\"o\":" + document + "}");

        var outcome = fixture.update("function OnUpdate(doc) { doc.list; }", document.toString());
        var nested = fixture.run("const {o} = b.nested;");

        for (var refused : List.of(outcome, nested)) {
            assertThat(refused)
                    .isInstanceOfSatisfying(
                            InvocationResult.Threw.class,
                            threw -> assertThat(threw.message())
                                    .startsWith("RangeError: More than 100 members of one object of the document"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const s = 'x'.repeat(2 ** 28); b.x = s + s",
                "new Array(2 ** 24).fill(0)", // four times what it may allocate; more takes as many seconds as memory
                "'\\uFDFA'.repeat(1e7).normalize('NFKD')",
                "b.x = [doc, new Proxy([], {get: (t, k) => k === 'length' ? 2 ** 24 : 'x'.repeat(1000)})]",
                "b.x = {toJSON: () => 'x'.repeat(2 ** 27)}",
                "log('x'.repeat(2 ** 27))",
                "'x'.repeat(2 ** 20).split('').map((c) => c.repeat(1000))"
            })
    void hugeValue_losesOnlyItsInvocation(String body) {
        var small = new Fixture().allocationLimit(16 << 20).timeout(Duration.ofSeconds(60));

        var outcome = small.with("function OnUpdate(doc, meta) { if (meta.id === 'bad') { " + body + " } }", thread -> {
            var bad = thread.onUpdate(Fixture.meta("bad"), Fixture.utf8(DOCUMENT), null);
            assertThat(thread.onUpdate(Fixture.meta("good"), Fixture.utf8(DOCUMENT), null))
                    .isInstanceOf(InvocationResult.Success.class);
            return bad;
        });

        assertThat(outcome).isInstanceOf(InvocationResult.OutOfMemory.class);
    }

    @Test
    void thenable_isNotCalled() {
        function.run("return {then() { log('called') }, get x() { log('read') }};");

        assertThat(function.host.lines).isEmpty();
    }

    @Test
    void spoiltPrototypes_doNotReachTheEngineOfAnotherThread() {
        function.run("""
            Object.defineProperty(Object.prototype, 'get', {value: () => { throw 1; }, configurable: true});
            Array.prototype[Symbol.species] = String.prototype.charAt = JSON.parse = () => { throw 2; };
            Array.prototype[0] = 'mine';\
            """);

        var outcome = function.run("b.x = {a: [, 1]}; log(b.x, [][0]);");

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(function.host.lines).containsExactly("INFO {\"a\":[null,1]} undefined");
    }
}
