package io.millrace.gateway.archive;

import io.millrace.functionfiles.FunctionDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;

/**
 * Packs function definitions into a zip archive: the directories that {@code fn deploy --all} takes. The same functions
 * result in the same bytes.
 */
final class ArchiveWriter {

    /** The earliest time that a zip entry can have; an entry without a time does not exist. */
    private static final FileTime NO_TIME = FileTime.from(Instant.parse("1980-01-01T12:00:00Z"));

    private ArchiveWriter() {}

    /** Returns the archive of an array of definitions. */
    static byte[] write(JsonNode definitions) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
            for (JsonNode definition : definitions) {
                String folder = FunctionDirectory.nameOf(definition) + '/';
                String code = definition.path("appcode").asString("");
                add(zip, folder + FunctionDirectory.codeFile(definition), code);
                add(
                        zip,
                        folder + FunctionDirectory.DEFINITION,
                        FunctionDirectory.text(FunctionDirectory.kept(definition)));
                for (var library : definition.path("libraries").properties()) {
                    String file = FunctionDirectory.libraryFile(library.getKey());
                    add(zip, folder + file, library.getValue().asString());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // writing to memory does not fail
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, String name, String content) throws IOException {
        var entry = new ZipEntry(name);
        entry.setLastModifiedTime(NO_TIME);
        zip.putNextEntry(entry);
        zip.write(content.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
