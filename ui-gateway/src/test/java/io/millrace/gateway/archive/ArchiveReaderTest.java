package io.millrace.gateway.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.gateway.GatewayException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ArchiveReaderTest {

    private static final String DEPCFG = "{\"depcfg\":{\"source_bucket\":\"a\"}}";

    private final JsonMapper json = JsonMapper.builder().build();
    private final ArchiveReader reader = new ArchiveReader(json);

    @Test
    void read_givesBackWhatWasWrittenButUndeployed() {
        JsonNode definitions = json.readTree("""
                [{"appname":"f","appcode":"function OnUpdate(d, m) { log('größe'); }\\n","depcfg":{"source_bucket":"a","buckets":[{"alias":"b","access":"rw"}]},
                  "settings":{"deployment_status":true,"processing_status":true,"worker_count":3,"language":"typescript"},
                  "libraries":{"money@1.0.0":"export const vat = 0.19; // größe","text@2":"export const a = 1;"}},
                 {"appname":"f","function_scope":{"bucket":"b","scope":"s"},"appcode":"","depcfg":{},
                  "settings":{"deployment_status":false,"processing_status":false}}]""");

        JsonNode read = reader.read(ArchiveWriter.write(definitions));

        JsonNode expected = definitions.deepCopy();
        expected.get(0).withObject("/settings").put("deployment_status", false).put("processing_status", false);
        assertThat(read).containsExactlyInAnyOrder(expected.get(0), expected.get(1));
        assertThat(ArchiveWriter.write(definitions)).isEqualTo(ArchiveWriter.write(definitions));
    }

    @Test
    void read_takesWhatAPersonPutTogether() {
        byte[] archive = zip(
                "team/",
                "",
                "team/greet/handler.js",
                "function OnUpdate() {}",
                "team/greet/function.json",
                DEPCFG,
                "__MACOSX/team/._greet",
                "finder",
                "team/.DS_Store",
                "finder");

        JsonNode read = reader.read(archive);

        assertThat(read).containsExactly(json.readTree("""
                {"appname":"greet","appcode":"function OnUpdate() {}","depcfg":{"source_bucket":"a"},
                 "settings":{"deployment_status":false,"processing_status":false}}"""));
    }

    @Test
    void read_takesADirectoryWithAllThatBelongsToIt() {
        byte[] archive = zip(
                "f/handler.ts",
                "function OnUpdate(doc: any) {}",
                "f/function.json",
                "{\"$schema\":\"./function.schema.json\",\"appname\":\"f\",\"depcfg\":{}}",
                "f/function.schema.json",
                "{}",
                "f/millrace.d.ts",
                "",
                "f/tsconfig.json",
                "{}",
                "f/tests/handler.json",
                "[]",
                "f/libraries/money@1.0.0.js",
                "export const a = 1;");

        assertThat(reader.read(archive)).containsExactly(json.readTree("""
                {"appname":"f","depcfg":{},"appcode":"function OnUpdate(doc: any) {}",
                 "libraries":{"money@1.0.0":"export const a = 1;"},
                 "settings":{"deployment_status":false,"processing_status":false,"language":"typescript"}}"""));
    }

    @Test
    void libraries_areThoseOfTheFunctionWhoseDirectoryTheyAreIn() {
        byte[] archive = zip(
                "libraries/alone@1.js",
                "export const a = 1;",
                "f/function.json",
                DEPCFG,
                "f/handler.js",
                "",
                "f/libraries/mine@1.js",
                "export const a = 2;",
                "libraries/handler.js",
                "",
                "libraries/function.json",
                DEPCFG);

        JsonNode read = reader.read(archive);

        assertThat(read.valueStream()
                        .map(definition -> definition.path("appname").asString() + definition.path("libraries")))
                .containsExactlyInAnyOrder("f{\"mine@1\":\"export const a = 2;\"}", "libraries");
    }

    @Test
    void read_takesOneFunctionWithoutAFolder() {
        byte[] archive = zip(
                "handler.js",
                "function OnUpdate() {}",
                "function.json",
                "{\"appname\":\"f\",\"depcfg\":{},\"settings\":{\"worker_count\":2}}");

        assertThat(reader.read(archive)
                        .get(0)
                        .path("settings")
                        .path("worker_count")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void read_ofBytesThatAreNotAnArchive_isRefused() {
        refused(new byte[0], "not a zip archive");
        refused("[{\"appname\":\"f\"}]".getBytes(UTF_8), "not a zip archive");
        refused(zip(), "not a zip archive");
        byte[] noise = new byte[10_000];
        new Random(5).nextBytes(noise);
        refused(noise, "not a zip archive");
    }

    @Test
    void read_refusesDamagedArchives() {
        byte[] whole = zip("f/handler.js", "x".repeat(5_000), "f/function.json", DEPCFG);

        refused(Arrays.copyOf(whole, 60), "too early");
        byte[] flipped = whole.clone();
        flipped[50] ^= 0x55;
        assertThatThrownBy(() -> reader.read(flipped)).isInstanceOf(GatewayException.class);
        var random = new Random(20261121);
        for (int i = 0; i < 2_000; i++) {
            byte[] changed = whole.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            try {
                reader.read(Arrays.copyOf(changed, random.nextInt(changed.length) + 1));
            } catch (GatewayException expected) {
                // any other exception fails the test
            }
        }
    }

    @Test
    void read_namesWhatIsMissingOrTooMuch() {
        refused(zip("f/handler.js", "x"), "'f/function.json' is missing");
        refused(zip("f/function.json", DEPCFG), "'f/handler.js' is missing");
        refused(zip("f/handler.js", "x", "f/function.json", DEPCFG, "f/virus.exe", "x"), "'f/virus.exe'");
        refused(zip("f/handler.js", "x", "f/function.json", "{}"), "depcfg");
        refused(zip("f/handler.js", "x", "f/function.json", "{\n  oops"), "line 2");
        refused(zip("f/handler.js", "x", "f/function.json", "{\"depcfg\":{},\"settings\":[]}"), "JSON object");
        refused(zip("f/handler.js", "x", "f/handler.ts", "x", "f/function.json", DEPCFG), "leave one out");
    }

    @Test
    void read_refusesNamesThatLeadElsewhere() {
        for (String name : new String[] {"../f/handler.js", "/f/handler.js", "f/../../handler.js", "f\\handler.js"}) {
            refused(zip(name, "x"), "not a valid path of a file");
        }
    }

    @Test
    void read_refusesCodeThatIsNotUtf8() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("f/handler.js"));
            zip.write(new byte[] {'a', (byte) 0xff});
            zip.putNextEntry(new ZipEntry("f/function.json"));
            zip.write(DEPCFG.getBytes(UTF_8));
        }

        refused(bytes.toByteArray(), "not UTF-8");
    }

    @Test
    void read_refusesBombs() throws IOException {
        tooLarge(bomb(1, ArchiveLimits.MAX_FILE_BYTES + 1), "unpacks to more");
        tooLarge(bomb(20, ArchiveLimits.MAX_FILE_BYTES), "all files together");

        var many = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(many)) {
            for (int i = 0; i <= ArchiveLimits.MAX_ENTRIES; i++) {
                zip.putNextEntry(new ZipEntry("f" + i + "/"));
            }
        }
        tooLarge(many.toByteArray(), "entries");
    }

    private static byte[] bomb(int files, int size) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (int i = 0; i < files; i++) {
                zip.putNextEntry(new ZipEntry("f" + i + "/handler.js"));
                zip.write(new byte[size]);
            }
        }
        assertThat(bytes.size()).isLessThan(ArchiveLimits.MAX_FILE_BYTES / 10);
        return bytes.toByteArray();
    }

    private void refused(byte[] archive, String why) {
        assertThatThrownBy(() -> reader.read(archive))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        failure -> assertThat(failure.code()).isEqualTo(GatewayException.Code.INVALID_ARCHIVE))
                .hasMessageContaining(why);
    }

    private void tooLarge(byte[] archive, String why) {
        assertThatThrownBy(() -> reader.read(archive))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        failure -> assertThat(failure.code()).isEqualTo(GatewayException.Code.ARCHIVE_TOO_LARGE))
                .hasMessageContaining(why);
    }

    /** Returns an archive of names and contents in turn. */
    private static byte[] zip(String... namesAndContents) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (int i = 0; i < namesAndContents.length; i += 2) {
                zip.putNextEntry(new ZipEntry(namesAndContents[i]));
                zip.write(namesAndContents[i + 1].getBytes(UTF_8));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }
}
