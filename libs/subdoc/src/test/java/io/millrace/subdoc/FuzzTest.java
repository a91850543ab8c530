package io.millrace.subdoc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.subdoc.Answer.Edit;
import io.millrace.subdoc.TreeOracle.Expected;
import io.millrace.subdoc.TreeOracle.Step;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random documents, paths and values against the tree. A failure names its seed; {@code -Dfuzz.rounds=1000000} looks
 * longer, {@code -Dfuzz.seed=7} elsewhere.
 */
class FuzzTest {

    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 40_000);
    private static final long SEED = Long.getLong("fuzz.seed", 1);

    private static final List<Operation> OPERATIONS = Arrays.stream(Operation.values())
            .filter(operation -> !operation.wholeDocument() && operation != Operation.REPLACE_BODY_WITH_XATTR)
            .toList();

    @Test
    void operations_doWhatTheTreeDoes() {
        for (int round = 0; round < ROUNDS; round++) {
            RandomJson random = new RandomJson(SEED * 1_000_003 + round);
            String text = random.document();
            Operation operation = random.oneOf(OPERATIONS);
            List<Step> steps = random.path(Tree.parse(text), operation);
            String path = random.spelling(steps);
            String value = random.value(operation);
            boolean mkdirP = random.chance(2);
            String what = "round %d: %s %s '%s' mkdirP %b on %s".formatted(round, operation, path, value, mkdirP, text);

            Expected expected = new TreeOracle(operation, mkdirP, Tree.parse(text), steps, value).expected();
            Answer answer = SubDocuments.run(operation, mkdirP, bytes(text), bytes(path), bytes(value));

            assertThat(answer.status()).as(what).isEqualTo(expected.status());
            check(what, expected, answer);
        }
    }

    private static void check(String what, Expected expected, Answer answer) {
        if (expected.value() != null && expected.status() == Status.SUCCESS) {
            String value = text(answer.value());
            String normal = value.isEmpty() ? "" : Tree.parse(value).text();
            assertThat(normal).as(what).isEqualTo(expected.value());
        }
        Edit edit = answer.edit();
        Tree document = expected.document();
        assertThat(edit != null).as(what).isEqualTo(document != null);
        if (edit != null && document != null) {
            byte[] edited = edit.toBytes();
            assertThat(edited).as(what).hasSize(edit.length());
            assertThat(SubDocuments.isJson(edited))
                    .as(what + " gives " + text(edited))
                    .isTrue();
            assertThat(Tree.parse(text(edited)).text()).as(what).isEqualTo(document.text());
        }
    }

    @Test
    void lookUps_inOnePass_answerAsEachAlone() {
        for (int round = 0; round < ROUNDS / 4; round++) {
            RandomJson random = new RandomJson(SEED * 7_000_003 + round);
            String text = random.document();
            Tree tree = Tree.parse(text);
            List<Spec> specs = new ArrayList<>();
            for (int i = 0; i < 2 + random.below(15); i++) {
                Operation operation = random.oneOf(List.of(Operation.GET, Operation.EXISTS, Operation.GET_COUNT));
                String path = random.chance(20) ? "a..b" : random.spelling(random.path(tree, operation));
                specs.add(Spec.of(operation, path));
            }
            byte[] document = random.chance(3) ? random.cut(text) : bytes(text);
            String what = "round %d: %s on %s"
                    .formatted(round, specs.stream().map(FuzzTest::described).toList(), text(document));

            List<Answer> together = SubDocuments.lookUp(document, specs);

            for (int i = 0; i < specs.size(); i++) {
                Spec spec = specs.get(i);
                Answer alone = SubDocuments.run(spec.operation(), false, document, spec.path(), spec.value());
                assertThat(together.get(i).status()).as(what + " spec " + i).isEqualTo(alone.status());
                assertThat(together.get(i).value()).as(what + " spec " + i).isEqualTo(alone.value());
            }
        }
    }

    private static String described(Spec spec) {
        return spec.operation() + " '" + text(spec.path()) + "'";
    }

    @Test
    void brokenDocuments_areNeverTooMuch() {
        for (int round = 0; round < ROUNDS / 4; round++) {
            RandomJson random = new RandomJson(SEED * 11_000_027 + round);
            String text = random.document();
            Operation operation = random.oneOf(OPERATIONS);
            byte[] path = bytes(random.spelling(random.path(Tree.parse(text), operation)));
            byte[] document = random.chance(4) ? random.noise() : random.broken(text);

            Answer answer =
                    SubDocuments.run(operation, random.chance(2), document, path, bytes(random.value(operation)));

            assertThat(answer.status()).isNotNull();
            answer.value();
            if (answer.edit() != null) {
                answer.edit().toBytes();
            }
        }
    }

    @Test
    void paths_ofAnyBytes_areReadOrRefused() {
        Random random = new Random(SEED);
        byte[] letters = bytes("ab.[]`\\\"0-1u\n\u001f ");
        for (int round = 0; round < ROUNDS; round++) {
            byte[] path = new byte[random.nextInt(12)];
            for (int i = 0; i < path.length; i++) {
                path[i] = random.nextInt(10) == 0 ? (byte) random.nextInt() : letters[random.nextInt(letters.length)];
            }
            Answer answer =
                    SubDocuments.run(Operation.DICT_UPSERT, true, bytes("{\"a\":{},\"b\":[1]}"), path, bytes("1"));
            Edit edit = answer.edit();
            if (edit != null) {
                assertThat(SubDocuments.isJson(edit.toBytes()))
                        .as("%s gives %s", Arrays.toString(path), text(edit.toBytes()))
                        .isTrue();
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
