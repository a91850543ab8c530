package io.millrace.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.HandlerSpec.LanguageCompatibility;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import io.millrace.handler.host.HostFailure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketAliasTest {
    private final Fixture function = new Fixture();
    private final MemoryHost host = function.host;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void read_returnsTheDocument(boolean strict) {
        host.put("b", "k", "{\"a\": {\"b\": 1.50}}");

        function.strict(strict).run("log(b.k.a.b, b['k'].a, 'k' in b, 'none' in b, b.none, b.none === undefined)");

        assertThat(host.lines).hasSize(1);
        assertThat(host.lines.getFirst()).matches("INFO 1.5 \\{\"b\":1.50?} true false undefined true");
    }

    @Test
    void read_ofBinaryDocument_returnsArrayBuffer() {
        host.documents.put("b/k", new StoredDocument(new byte[] {1, 2, (byte) 200}, true));

        function.run("log(b.k instanceof ArrayBuffer, [...new Uint8Array(b.k)])");

        assertThat(host.lines).containsExactly("INFO true [1,2,200]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1, b: [true, null, 'x'], c: undefined, d: () => 1} | {\"a\":1,\"b\":[true,null,\"x\"]}",
                "`text \\u00e9 \\ud800 \"` | '\"text \u00e9 \\ud800 \\\"\"'",
                "1.50 | 1.5",
                "-0 | 0",
                "1e21 | 1e+21",
                "NaN | null",
                "null | null",
                "true | true",
                "[] | []",
                "[undefined, Symbol()] | [null,null]",
                "new Date(0) | '\"1970-01-01T00:00:00.000Z\"'",
                "{when: new Date(1e12)} | {\"when\":\"2001-09-09T01:46:40.000Z\"}",
                "{toJSON() { return {replaced: 1}; }} | {\"replaced\":1}",
                "new Number(4) | 4",
                "[new String('s'), new Boolean(true)] | [\"s\",true]",
                "new Map([[1, 2]]) | {}",
                "new Uint8Array([1, 2]) | {\"0\":1,\"1\":2}",
                "Object.create({inherited: 1}) | {}",
                "{2: 'b', 1: 'a', z: 0} | {\"1\":\"a\",\"2\":\"b\",\"z\":0}",
                "{d: doc, list: [doc.o, doc.o.list]} | {\"d\":{\"o\":{ \"list\": [1.0] }},\"list\":[{ \"list\": [1.0]"
                        + " },[1.0]]}",
                "{...doc} | {\"o\":{ \"list\": [1.0] }}",
                "{x: {toJSON: () => doc.o.list}} | {\"x\":[1.0]}",
                "{x: {toJSON: () => JSON.parse(JSON.stringify(doc)).o}, y: doc} | {\"x\":{\"list\":[1]},\"y\":{\"o\":{"
                        + " \"list\": [1.0] }}}",
                "{x: {toJSON: () => JSON.stringify(doc.o)}} | {\"x\":\"{\\\"list\\\":[1]}\"}",
                "new Proxy({a: 1}, {}) | {\"a\":1}",
                "(function () { return {arguments: [...arguments]}; })(1, 2) | {\"arguments\":[1,2]}"
            })
    void write_storesWhatJsonStringifyMakes(String value, String stored) {
        var outcome = function.update("function OnUpdate(doc) { b.k = " + value + "; }", "{\"o\":{ \"list\": [1.0] }}");

        assertThat(outcome).isInstanceOf(InvocationResult.Success.class);
        assertThat(host.text("b", "k")).isEqualTo(stored);
    }

    @Test
    void write_ofArrayBuffer_storesBinaryDocument() {
        function.run("b.k = new Uint8Array([7, 255]).buffer");

        assertThat(host.documents.get("b/k")).satisfies(document -> {
            assertThat(document.binary()).isTrue();
            assertThat(document.body()).containsExactly(7, 255);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"undefined", "() => 1", "Symbol('x')", "class {}", "{toJSON() {}}"})
    void write_ofWhatJsonHasNot_throwsEventingError(String value) {
        function.run("try { b.k = " + value + "; } catch (e) { log(e instanceof EventingError, e.message) }");

        assertThat(host.lines).containsExactly("INFO true \"A document cannot be undefined, a function or a symbol\"");
        assertThat(host.documents).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const a = {}; a.a = a; b.k = a",
                "doc.self = doc; b.k = doc",
                "doc.list = [{doc}]; b.k = doc",
                "const a = {doc}; doc.a = a; b.k = a"
            })
    void write_ofCycle_throwsTypeError(String statements) {
        function.run("try { " + statements + "; } catch (e) { log(e instanceof TypeError, e.message) }");

        assertThat(host.lines).hasSize(1);
        assertThat(host.lines.getFirst()).startsWith("INFO true \"Converting circular structure");
        assertThat(host.documents).isEmpty();
    }

    @Test
    void write_ofBigInt_throwsTypeError() {
        function.run("try { b.k = {n: 10n}; } catch (e) { log(e.name) }");

        assertThat(host.lines).containsExactly("INFO \"TypeError\"");
    }

    @ParameterizedTest
    @CsvSource({
        "b[5] = 1, 5",
        "b[1.5] = 1, 1.5",
        "b[undefined] = 1, undefined",
        "b[null] = 1, null",
        "b[true] = 1, true",
        "b[{}] = 1, [object Object]",
        "b[() => 1] = 1, () => 1",
        "b['a/b::é'] = 1, a/b::é",
        "b.__proto__ = 1, __proto__",
        "b.constructor = 1, constructor",
        "b.toString = 1, toString"
    })
    void key_isStringified(String statement, String id) {
        assertThat(function.run(statement)).isInstanceOf(InvocationResult.Success.class);

        assertThat(host.text("b", id)).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"b[Symbol('s')]", "b[Symbol('s')] = 1", "delete b[Symbol('s')]", "Symbol.iterator in b"})
    void key_thatIsSymbol_throwsEventingError(String statement) {
        function.run("try { " + statement + "; } catch (e) { log(e.name, e.message.split(':')[0]) }");

        assertThat(host.lines).containsExactly("INFO \"EventingError\" \"Invalid data type for key\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete b.k", "delete b['none']", "Reflect.deleteProperty(b, 'k')"})
    void delete_isTrueWhetherOrNotThereIsOne(String expression) {
        host.put("b", "k", "1");

        function.run("log(" + expression + ")");

        assertThat(host.lines).containsExactly("INFO true");
        assertThat(host.text("b", "k")).isEqualTo(expression.contains("none") ? "1" : null);
    }

    @Test
    void readOnlyAlias_refusesChanges() {
        host.put("source", "k", "1");

        function.run("""
            try { source.k = 2 } catch (e) { log(e.name, e.message) }
            try { delete source.k } catch (e) { log(e.name, e.message) }
            log(source.k)\
            """);

        assertThat(host.lines)
                .containsExactly(
                        "INFO \"EventingError\" \"Writing to source bucket is forbidden: the binding source is"
                                + " read-only; give it the access \\\"rw\\\" to allow writes\"",
                        "INFO \"EventingError\" \"Delete from source bucket is forbidden: the binding source is"
                                + " read-only; give it the access \\\"rw\\\" to allow writes\"",
                        "INFO 1");
        assertThat(host.text("source", "k")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"many.k", "many.k = 1", "delete many.k"})
    void aliasOfManyCollections_pointsToTheAdvancedAccessors(String statement) {
        function.run("try { " + statement + " } catch (e) { log(e.name, e.message) }");

        assertThat(host.lines.getFirst()).startsWith("INFO \"EventingError\"").contains("couchbase.get");
    }

    @Test
    void missingDocument_inRelease600_throwsKvError() {
        function.language(LanguageCompatibility.V6_0_0).run("""
            try { b.none } catch (e) { log(e instanceof KVError, e.message) }
            try { delete b.none } catch (e) { log(e.message.name) }\
            """);

        assertThat(host.lines)
                .containsExactly(
                        "INFO true {\"code\":272,\"name\":\"LCB_KEY_ENOENT\","
                                + "\"desc\":\"The document key does not exist on the server\"}",
                        "INFO \"LCB_KEY_ENOENT\"");
    }

    @Test
    void failingStore_throwsErrorOfItsKind() {
        var failing = new MemoryHost() {
            @Override
            public @Nullable StoredDocument get(String alias, String id) throws HostFailure {
                throw HostFailure.kvError(9, "LCB_BUSY", "come back later");
            }

            @Override
            public void upsert(String alias, String id, StoredDocument document) throws HostFailure {
                throw HostFailure.eventingError("too large");
            }
        };

        var outcome = new Fixture(failing).run("""
            try { b.k } catch (e) { log(e instanceof KVError, e.message.code, e.message.name, String(e)) }
            try { b.k = 1 } catch (e) { log(e instanceof EventingError, e.message, String(e)) }
            b.k\
            """);

        assertThat(failing.lines)
                .containsExactly(
                        "INFO true 9 \"LCB_BUSY\" \"KVError: {\\\"code\\\":9,\\\"name\\\":\\\"LCB_BUSY\\\","
                                + "\\\"desc\\\":\\\"come back later\\\"}\"",
                        "INFO true \"too large\" \"EventingError: too large\"");
        assertThat(outcome).isInstanceOfSatisfying(InvocationResult.Threw.class, threw -> {
            assertThat(threw.message())
                    .isEqualTo("KVError: {\"code\":9,\"name\":\"LCB_BUSY\",\"desc\":\"come back later\"}");
            assertThat(threw.line()).isEqualTo(3);
        });
    }

    @Test
    void defectiveHost_isInternalErrorEvenWhenCodeCatches() {
        var defective = new MemoryHost() {
            @Override
            public @Nullable StoredDocument get(String alias, String id) {
                throw new IllegalStateException("defect");
            }
        };

        var outcome = new Fixture(defective).run("try { b.k } catch (e) { log('caught') }");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        InvocationResult.InternalError.class,
                        error -> assertThat(error.message()).contains("defect"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b = 1",
                "delete globalThis.b",
                "Object.setPrototypeOf(b, {})",
                "Object.defineProperty(b, 'x', {value: 1})"
            })
    void alias_cannotBeReplaced(String statement) {
        assertThat(function.run(statement)).isInstanceOf(InvocationResult.Threw.class);
    }

    @Test
    void alias_hasNoContentsOfItsOwn() {
        function.run("log(Object.keys(b), Object.getPrototypeOf(b), JSON.stringify(Object.getOwnPropertyNames(b)))");

        assertThat(host.lines).containsExactly("INFO [] null \"[]\"");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void documentThatIsNotJson_throwsEventingError(boolean strict) {
        host.put("b", "k", "{oops");

        function.strict(strict).run("try { b.k } catch (e) { log(e.name, e.message) }");

        assertThat(host.lines.getFirst()).startsWith("INFO \"EventingError\" \"Document k is not valid JSON: ");
    }
}
