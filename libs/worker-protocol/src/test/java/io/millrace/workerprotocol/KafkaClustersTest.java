package io.millrace.workerprotocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaClustersTest {

    @TempDir
    private Path directory;

    @Test
    void names_areThoseOfFilesWithSettings_asTheyAreNow() throws IOException {
        KafkaClusters clusters = new KafkaClusters(directory);
        assertThat(clusters.names()).isEmpty();

        for (String file :
                new String[] {"shop.properties", "audit.properties", "notes.txt", ".properties", "a b.properties"}) {
            Files.createFile(directory.resolve(file));
        }

        assertThat(clusters.names()).containsExactly("audit", "shop");
        assertThat(clusters.file("shop")).exists();
    }

    @Test
    void missingDirectory_namesNone() {
        assertThat(new KafkaClusters(directory.resolve("missing")).names()).isEmpty();
    }
}
