package io.millrace.subdoc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Request.DocFlag;
import io.millrace.subdoc.Request.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What every entry to the sub-document engine must answer: the conformance vectors, each on a document of its own. Where
 * a vector says what a correct engine answers ({@code strict}), that is asked, not what the recorded engine did.
 */
public abstract class SubdocContract {

    /** Renames of status names of the recorded engine. */
    private static final Map<String, Status> OTHER_NAMES = Map.of(
            "VALUE_EMPTY", Status.EINVAL,
            "DELTA_OVERFLOW", Status.VALUE_CANTINSERT);

    /** Failures of one path, which a multi request reports in its results. */
    private static final Set<Status> OF_A_PATH = Set.of(
            Status.PATH_ENOENT,
            Status.PATH_MISMATCH,
            Status.PATH_EINVAL,
            Status.PATH_E2BIG,
            Status.DOC_E2DEEP,
            Status.VALUE_CANTINSERT,
            Status.DOC_NOTJSON,
            Status.NUM_ERANGE,
            Status.DELTA_EINVAL,
            Status.PATH_EEXISTS,
            Status.VALUE_ETOODEEP,
            Status.XATTR_UNKNOWN_VATTR,
            Status.XATTR_UNKNOWN_VATTR_MACRO,
            Status.FIELD_NOT_BINARY_VALUE);

    /** Returns the runner; called once for all vectors. */
    protected abstract VectorRunner runner() throws Exception;

    /** Returns the vector as it is sent here, for entries that frame it in another way. */
    protected Vector framed(Vector vector) {
        return vector;
    }

    /** Returns whether requests are checked here before the operations at paths see them. */
    protected boolean checksRequests() {
        return true;
    }

    @TestFactory
    Stream<DynamicTest> vector_isAnsweredAsWrittenDown() throws Exception {
        Optional<List<Vector>> vectors = Vector.readAll();
        assumeTrue(vectors.isPresent(), "the vectors are not next to this repository");
        VectorRunner runner = runner();
        return vectors.get().stream()
                .map(this::framed)
                .filter(vector -> !onlySingle(vector) && runner.supports(vector))
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> check(vector, runner.run(vector))));
    }

    /** What a single request may not do with CREATE_AS_DELETED, a multi request may. */
    private static boolean onlySingle(Vector vector) {
        boolean refused = vector.node().get("expect").get("status").asString().equals("EINVAL");
        return vector.reframed() && refused && (vector.docFlags() & DocFlag.CREATE_AS_DELETED) != 0;
    }

    private void check(Vector vector, VectorRunner.Seen seen) {
        Status expected = expectedStatus(vector);
        checkStatus(vector, expected, seen);
        if (expected.success() || vector.kind() != Kind.SINGLE) {
            checkResults(vector, seen);
        }
        checkStored(vector, expected, seen);
    }

    private Status expectedStatus(Vector vector) {
        JsonNode strict = vector.node().path("strict").path("status");
        String name = strict.isMissingNode()
                ? vector.node().get("expect").get("status").asString()
                : strict.asString();
        Spec first = vector.specs().isEmpty() ? null : vector.specs().get(0);
        if (checksRequests()
                && vector.engine()
                && first != null
                && first.path().length == 0
                && !first.operation().emptyPath()) {
            return Status.EINVAL;
        }
        Status other = OTHER_NAMES.get(name);
        return other != null ? other : Status.valueOf(name.replaceFirst("^SUBDOC_", ""));
    }

    private static void checkStatus(Vector vector, Status expected, VectorRunner.Seen seen) {
        if (vector.reframed() && OF_A_PATH.contains(expected)) {
            assertThat(seen.status()).isEqualTo(Status.MULTI_PATH_FAILURE);
            assertThat(seen.results()).singleElement().satisfies(result -> {
                assertThat(result.index()).isZero();
                assertThat(result.status()).isEqualTo(expected);
            });
        } else {
            assertThat(seen.status()).isEqualTo(expected);
        }
    }

    private static void checkResults(Vector vector, VectorRunner.Seen seen) {
        JsonNode expect = vector.node().get("expect");
        if (expect.has("value") && seen.status().success()) {
            assertThat(seen.results())
                    .singleElement()
                    .satisfies(result -> assertThat(text(result.value()))
                            .isEqualTo(expect.get("value").asString()));
        }
        if (expect.has("failed")) {
            PathResult failed = seen.results().get(0);
            assertThat(failed.index())
                    .isEqualTo(expect.get("failed").get("index").asInt());
            assertThat(failed.status().name())
                    .isEqualTo(expect.get("failed").get("status").asString());
        }
        if (expect.has("results")) {
            List<String> expected = expect.get("results").values().stream()
                    .map(result -> result.path("index").asInt(0) + " "
                            + result.path("status").asString("SUCCESS").replaceFirst("^SUBDOC_", "") + " "
                            + result.get("value").asString())
                    .toList();
            boolean lookUp = vector.kind() == Kind.MULTI_LOOKUP;
            assertThat(seen.results().stream()
                            .map(result -> (lookUp ? 0 : result.index()) + " "
                                    + result.status().name() + " " + text(result.value())))
                    .containsExactlyElementsOf(expected);
        }
    }

    private static void checkStored(Vector vector, Status expected, VectorRunner.Seen seen) {
        JsonNode expect = vector.node().get("expect");
        JsonNode document = vector.node().path("strict").has("doc")
                ? vector.node().path("strict").get("doc")
                : expect.get("doc");
        boolean unchanged = !expected.success();
        byte[] wanted = unchanged ? vector.document() : document.isNull() ? null : Vector.bytes(document);
        assertThat(text(seen.document())).as("document").isEqualTo(text(wanted));
        Map<String, String> attributes = seen.xattrs();
        if (attributes != null) {
            if (expect.has("xattrs")) {
                assertThat(parsed(attributes)).isEqualTo(parsed(Vector.texts(expect.get("xattrs"))));
            } else if (unchanged) {
                assertThat(parsed(attributes)).isEqualTo(parsed(vector.xattrs()));
            }
            checkMacro(vector, attributes);
        }
        if (vector.has("expect_item_flags") && seen.flags() != null) {
            assertThat(seen.flags())
                    .isEqualTo((int) vector.node().get("expect_item_flags").asLong());
        }
    }

    private static void checkMacro(Vector vector, Map<String, String> attributes) {
        JsonNode macro = vector.node().path("expect_macro");
        if (!macro.isMissingNode()) {
            String[] path = macro.get("path").asString().split("\\.");
            JsonNode value = parsed(attributes).getOrDefault(path[0], macro).path(path[1]);
            String known = macro.get("is").asString();
            assertThat(known)
                    .as("%s of %s", value, known)
                    .contains(value.asString().substring("0x".length()));
        }
    }

    private static Map<String, JsonNode> parsed(Map<String, String> attributes) {
        return attributes.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> JsonMapper.shared().readTree(entry.getValue())));
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
