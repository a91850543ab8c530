package io.millrace.gateway.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Packs function definitions into a zip archive: a folder per function with its code, its settings, and the rest of the
 * definition in {@code deployment.json}. The folder of a function with a scope is {@code bucket/scope/name}. The same
 * functions result in the same bytes.
 */
final class ArchiveWriter {

    /** The earliest time that a zip entry can have; an entry without a time does not exist. */
    private static final FileTime NO_TIME = FileTime.from(Instant.parse("1980-01-01T12:00:00Z"));

    private final JsonMapper json;

    ArchiveWriter(JsonMapper json) {
        this.json = json.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    /** Returns the archive of an array of definitions. */
    byte[] write(JsonNode definitions) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
            for (JsonNode definition : definitions) {
                ObjectNode rest = definition.asObject().deepCopy();
                JsonNode code = rest.remove("appcode");
                JsonNode settings = rest.remove("settings");
                String folder = folder(rest);
                add(zip, folder + FunctionFiles.CODE, utf8(code == null ? "" : code.asString("")));
                add(zip, folder + FunctionFiles.DEPLOYMENT, json.writeValueAsBytes(rest));
                if (settings != null) {
                    add(zip, folder + FunctionFiles.SETTINGS, json.writeValueAsBytes(settings));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // writing to memory does not fail
        }
        return bytes.toByteArray();
    }

    private static String folder(ObjectNode definition) {
        String name = definition.path("appname").asString("") + '/';
        JsonNode scope = definition.path("function_scope");
        String bucket = scope.path("bucket").asString("*");
        return bucket.equals("*") || bucket.isEmpty()
                ? name
                : bucket + '/' + scope.path("scope").asString("*") + '/' + name;
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        var entry = new ZipEntry(name);
        entry.setLastModifiedTime(NO_TIME);
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
