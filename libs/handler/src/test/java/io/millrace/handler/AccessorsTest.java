package io.millrace.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.handler.host.DocumentCall;
import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import io.millrace.handler.host.DocumentCall.DocumentAnswer.Reason;
import io.millrace.handler.host.DocumentCall.Operation;
import io.millrace.handler.host.DocumentCall.PathOperation;
import io.millrace.handler.host.HandlerHost.StoredDocument;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessorsTest {
    private final Fixture function = new Fixture();

    private List<String> logged(DocumentAnswer answer, String expression) {
        function.host.answer = answer;
        return function.logged("log(" + expression + ")");
    }

    private DocumentCall call() {
        return function.host.calls.getLast();
    }

    @Test
    void get_returnsDocumentMetaAndSize() {
        var found = new DocumentAnswer.Found(new StoredDocument("{\"a\":1}".getBytes(UTF_8), false), -2, 1_700_000_000);

        assertThat(logged(found, "couchbase.get(b, {id: 'k', extra: 1}, {cache: true})"))
                .containsExactly("{\"doc\":{\"a\":1},\"meta\":{\"id\":\"k\",\"cas\":\"18446744073709551614\","
                        + "\"expiry_date\":\"2023-11-14T22:13:20.000Z\",\"datatype\":\"json\"},"
                        + "\"res_size\":7,\"success\":true}");
        assertThat(call().operation()).isEqualTo(Operation.GET);
        assertThat(call().cached()).isTrue();
    }

    @Test
    void get_ofBinary_returnsBuffer() {
        var found = new DocumentAnswer.Found(new StoredDocument(new byte[] {1, 2}, true), 3, 0);

        assertThat(logged(found, "couchbase.get(source, meta).doc.byteLength, couchbase.get(b, meta).meta"))
                .containsExactly("2 {\"id\":\"id\",\"cas\":\"3\",\"datatype\":\"binary\"}");
        assertThat(call().cached()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "KEY_NOT_FOUND, 1, LCB_KEY_ENOENT, key_not_found",
        "KEY_ALREADY_EXISTS, 2, LCB_KEY_EEXISTS, key_already_exists",
        "CAS_MISMATCH, 2, LCB_KEY_EEXISTS, cas_mismatch",
        "NOT_NUMBER, 0, LCB_DELTA_BADVAL, not_number",
        "FIELD_NOT_FOUND, 0, LCB_ERR_SUBDOC_PATH_NOT_FOUND, field_not_found",
        "FIELD_ALREADY_EXISTS, 0, LCB_ERR_SUBDOC_PATH_EXISTS, field_already_exists"
    })
    void refusal_isAnErrorObject(Reason reason, int code, String name, String mark) {
        var lines = logged(
                new DocumentAnswer.Refused(reason),
                "[couchbase.get(b, {id: 'k'}), couchbase.replace(b, {id: 'k'}, 1), couchbase.increment(b, {id: 'k'})]"
                        + ".map(r => [r.success, r.error.code, r.error.name, typeof r.error.desc, r.error." + mark
                        + ", r.meta === undefined])");

        assertThat(lines.getFirst())
                .isEqualTo(
                        "[%1$s,%1$s,%1$s]".formatted("[false,%d,\"%s\",\"string\",true,true]".formatted(code, name)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"INSERT", "UPSERT", "REPLACE"})
    void write_sendsDocumentAndReturnsMeta(Operation operation) {
        var name = operation.name().toLowerCase(java.util.Locale.ROOT);
        var lines = logged(
                new DocumentAnswer.Written(9),
                "couchbase." + name
                        + "(b, {id: 'k', cas: '7', expiry_date: new Date(1500)}, {x: [1]}, {self_recursion: true})");

        assertThat(lines)
                .containsExactly("{\"meta\":{\"id\":\"k\",\"cas\":\"9\","
                        + "\"expiry_date\":\"1970-01-01T00:00:01.000Z\"},\"success\":true}");
        assertThat(call().operation()).isEqualTo(operation);
        assertThat(call().cas()).isEqualTo(operation == Operation.REPLACE ? 7 : 0);
        assertThat(call().expiration()).isEqualTo(1);
        assertThat(call().selfRecursion()).isTrue();
        assertThat(new String(Objects.requireNonNull(call().document()).body(), UTF_8))
                .isEqualTo("{\"x\":[1]}");
    }

    @Test
    void write_ofBuffer_isBinary() {
        logged(new DocumentAnswer.Written(9), "couchbase.upsert(b, {id: 'k'}, new Uint8Array([5]).buffer)");

        assertThat(Objects.requireNonNull(call().document()).binary()).isTrue();
        assertThat(call().expiration()).isNull();
    }

    @Test
    void counters_returnTheCount() {
        assertThat(logged(
                        new DocumentAnswer.Counted(-5, 3),
                        "couchbase.decrement(b, {id: 'k'}), couchbase.increment(b, {id: 'k'}).doc.count"))
                .containsExactly("{\"doc\":{\"count\":-5},\"meta\":{\"id\":\"k\",\"cas\":\"3\"},\"success\":true} -5");
        assertThat(function.host.calls)
                .extracting(DocumentCall::operation)
                .containsExactly(Operation.DECREMENT, Operation.INCREMENT);
    }

    @Test
    void deleteAndTouch_returnMeta() {
        assertThat(logged(
                        new DocumentAnswer.Written(4),
                        "couchbase.delete(b, {id: 'k', cas: '1'}), couchbase.touch(b, {id: 'k', "
                                + "expiry_date: new Date(2000)})"))
                .containsExactly("{\"meta\":{\"id\":\"k\",\"cas\":\"4\"},\"success\":true} {\"meta\":{\"id\":\"k\","
                        + "\"cas\":\"4\"},\"success\":true}");
        assertThat(function.host.calls.getFirst().cas()).isEqualTo(1);
        assertThat(call().expiration()).isEqualTo(2);
    }

    @Test
    void mutateIn_sendsPaths() {
        var lines = logged(new DocumentAnswer.Written(4), """
            couchbase.mutateIn(b, {id: 'k', cas: '2'}, [
              couchbase.MutateInSpec.insert('a.b', {c: 1}, {create_path: true}),
              couchbase.MutateInSpec.upsert('x', doc, {xattrs: true}),
              couchbase.MutateInSpec.replace('r', null),
              couchbase.MutateInSpec.remove('gone'),
              couchbase.MutateInSpec.arrayAppend('l', [1]),
              couchbase.MutateInSpec.arrayPrepend('l', 1),
              couchbase.MutateInSpec.arrayInsert('l[0]', 1),
              couchbase.MutateInSpec.arrayAddUnique('l', 1)])\
            """);

        assertThat(lines).containsExactly("{\"meta\":{\"id\":\"k\",\"cas\":\"4\"},\"success\":true}");
        assertThat(call().cas()).isEqualTo(2);
        assertThat(call().paths())
                .extracting(DocumentCall.PathCall::operation)
                .containsExactly(Arrays.stream(PathOperation.values())
                        .filter(operation -> operation != PathOperation.GET)
                        .toArray(PathOperation[]::new));
        var first = call().paths().getFirst();
        assertThat(first.path()).isEqualTo("a.b");
        assertThat(new String(first.value(), UTF_8)).isEqualTo("{\"c\":1}");
        assertThat(first.createPath()).isTrue();
        assertThat(first.xattr()).isFalse();
        assertThat(call().paths().get(1).xattr()).isTrue();
        assertThat(call().paths().get(3).value()).isEmpty();
    }

    @Test
    void createPath_isIgnoredByOperationsOnWhatExists() {
        logged(new DocumentAnswer.Written(4), """
            couchbase.mutateIn(b, {id: 'k'}, [
              couchbase.MutateInSpec.replace('r', 1, {create_path: true}),
              couchbase.MutateInSpec.remove('gone', {create_path: true}),
              couchbase.MutateInSpec.arrayInsert('l[0]', 1, {create_path: true}),
              couchbase.MutateInSpec.arrayAppend('l', 1, {create_path: true})])\
            """);

        assertThat(call().paths())
                .extracting(DocumentCall.PathCall::createPath)
                .containsExactly(false, false, false, true);
    }

    @Test
    void lookupIn_returnsWhatIsThere() {
        var looked = new DocumentAnswer.Looked(Arrays.asList("[1]".getBytes(UTF_8), null), 4);

        assertThat(logged(
                        looked,
                        "couchbase.lookupIn(b, {id: 'k'}, [couchbase.LookupInSpec.get('a'), "
                                + "couchbase.LookupInSpec.get('b', {xattrs: true})])"))
                .containsExactly("{\"doc\":[{\"value\":[1],\"success\":true},{\"success\":false}],"
                        + "\"meta\":{\"id\":\"k\",\"cas\":\"4\",\"datatype\":\"json\"},\"success\":true}");
        assertThat(call().paths().get(1).xattr()).isTrue();
    }

    @Test
    void wildcardBinding_needsKeyspaceInMeta() {
        logged(
                new DocumentAnswer.Written(4),
                "couchbase.upsert(many, {id: 'k', keyspace: {scope_name: 's', collection_name: 'c'}}, 1)");
        assertThat(call().scope()).isEqualTo("s");
        assertThat(call().collection()).isEqualTo("c");

        logged(new DocumentAnswer.Written(4), "couchbase.upsert(b, meta, 1)");
        assertThat(call().scope()).as("a binding to one collection").isNull();
        assertThat(function.logged("try { couchbase.get(many, {id: 'k'}) } catch (e) { log(e.name) }"))
                .last()
                .isEqualTo("\"TypeError\"");
    }

    @Test
    void bindingDetails_tellTheKeyspace() {
        assertThat(function.logged("log(couchbase.bindingDetails(source), couchbase.bindingDetails(many, {id: 'x', "
                                + "keyspace: {scope_name: 's', collection_name: 'c'}}).keyspace.collection)")
                        .getFirst())
                .startsWith("{\"keyspace\":{\"bucket\":\"bucket\",\"scope\":\"scope\",\"collection\":\"collection\"")
                .endsWith("\"access\":\"r\"} \"c\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "couchbase.get() | TypeError: couchbase.get requires at least 2 arguments",
                "couchbase.upsert(b, {id: 'k'}) | TypeError: couchbase.upsert requires at least 3 arguments",
                "couchbase.get({}, {id: 'k'}) | TypeError: 1st argument should be bucket object",
                "couchbase.get(api, {id: 'k'}) | TypeError: 1st argument should be bucket object",
                "couchbase.get('b', {id: 'k'}) | TypeError: 1st argument should be bucket object",
                "couchbase.get(b, 'k') | TypeError: 2nd argument should be object",
                "couchbase.get(b, null) | TypeError: 2nd argument should be object",
                "couchbase.get(b, {}) | TypeError: document key is not present in 2nd argument",
                "couchbase.get(b, {id: ''}) | TypeError: document key cannot be empty",
                "couchbase.get(b, {id: {}}) | TypeError: document key should be a string",
                "couchbase.replace(b, {id: 'k', cas: 5}, 1) | TypeError: cas should be a string",
                "couchbase.delete(b, {id: 'k', cas: 'x'}) | TypeError: cas should be a string",
                "couchbase.insert(b, {id: 'k', expiry_date: 5}, 1) | TypeError: expiry should be a date object",
                "couchbase.touch(b, {id: 'k', expiry_date: new Date(NaN)}) | TypeError: Unable to compute epoch for"
                        + " the given Date instance",
                "couchbase.upsert(source, {id: 'k'}, 1) | EventingError: Writing to source bucket is forbidden"
                        + ": the binding source is read-only; give it the access \"rw\" to allow writes",
                "couchbase.delete(source, {id: 'k'}) | EventingError: Delete from source bucket is forbidden"
                        + ": the binding source is read-only; give it the access \"rw\" to allow writes",
                "couchbase.upsert(b, {id: 'k'}, undefined) | EventingError: A document cannot be undefined, a function"
                        + " or a symbol",
                "couchbase.mutateIn(b, {id: 'k'}, {}) | TypeError: 3rd argument should be an array of specs",
                "couchbase.mutateIn(b, {id: 'k'}, [{spec_type: 9, path: 'a'}]) | TypeError: spec_type 9 is not known",
                "couchbase.lookupIn(b, {id: 'k'}, [1]) | TypeError: 3rd argument should be an array of specs"
            })
    void argumentMistake_throws(String call, String message) {
        assertThat(function.run(call))
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).isEqualTo(message));
        assertThat(function.host.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"_sync", "name_of_sixteen_x", "_a.b"})
    void mutateIn_ofAttributeThatIsNotTheUsers_throws(String path) {
        assertThat(function.run("couchbase.mutateIn(b, {id: 'k'}, [couchbase.MutateInSpec.upsert('" + path
                        + "', 1, {xattrs: true})])"))
                .isInstanceOfSatisfying(
                        InvocationResult.Threw.class,
                        threw -> assertThat(threw.message()).startsWith("EventingError"));
    }
}
