package io.millrace.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The archive of functions that the console offers, and the directories of the command line, are the same. */
class ExportedFoldersIT {

    private static final String NAME = "exported";

    private final Api api = new Api(RunningSuite.gateway());
    private final Path unpacked = RunningSuite.scratch("exported");

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void archive_isWhatTheCommandLineExportsAndDeploys() throws Exception {
        for (String bucket : new String[] {"exported_src", "exported_dst", "eventing"}) {
            api.bucket(bucket);
        }
        api.put("/api/v1/libraries/sizes/versions/1", "export const size = 'größe';")
                .succeeded();
        String code = "import {size} from 'sizes@1';\nfunction OnUpdate(doc, meta) { log(size); }";
        api.deploy(NAME, Definitions.function(NAME, code, "exported_src", "eventing", "exported_dst"));
        String checksum = checksum();

        unpack("/api/v1/export?format=zip");

        Path exported = RunningSuite.scratch("exported-by-command");
        fn("export", exported.toString(), NAME);
        for (String file : new String[] {"handler.js", "function.json", "libraries/sizes@1.js"}) {
            assertThat(unpacked.resolve(NAME).resolve(file))
                    .hasSameTextualContentAs(exported.resolve(NAME).resolve(file));
        }
        assertThat(fn("deploy", "--plan", "--all", unpacked.toString())).contains("= " + NAME + ": no change");
        api.undeploy(NAME);
        assertThat(fn("deploy", unpacked.resolve(NAME).toString())).contains("+ " + NAME + ": create and deploy");
        assertThat(checksum()).isEqualTo(checksum);
        api.undeploy(NAME);
    }

    private String checksum() {
        return api.get("/api/v1/functions/" + NAME + "/appcode/checksum")
                .succeeded()
                .body();
    }

    private void unpack(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(RunningSuite.gateway().resolve(path))
                .header("Authorization", BuiltSuite.LOGIN.authorization())
                .build();
        try (HttpClient http = HttpClient.newHttpClient();
                InputStream body = http.send(request, HttpResponse.BodyHandlers.ofInputStream())
                        .body();
                ZipInputStream zip = new ZipInputStream(body, StandardCharsets.UTF_8)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = unpacked.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.write(file, zip.readAllBytes());
            }
        }
    }

    /** Runs a command in this JVM and returns what it printed. */
    private static String fn(String... arguments) {
        FnCommand ended = FnCommand.run(arguments);
        assertThat(ended.status()).as(ended.printed()).isZero();
        return ended.printed();
    }
}
