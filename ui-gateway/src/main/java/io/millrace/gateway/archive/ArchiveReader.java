package io.millrace.gateway.archive;

import io.millrace.functionfiles.FunctionDirectory;
import io.millrace.gateway.GatewayException;
import io.millrace.problemdetails.JsonMistake;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Unpacks what {@link ArchiveWriter} packs, or what a person put together like it: directories of functions in folders of any
 * depth, with their code, {@code function.json} and libraries; their other files are passed over. Trusts nothing: sizes are counted
 * while unpacking, names are only ever looked at, and whatever is not as it should be is refused by name.
 */
final class ArchiveReader {

    private static final Set<String> DEFINING =
            Set.of(FunctionDirectory.CODE, FunctionDirectory.TYPESCRIPT, FunctionDirectory.DEFINITION);

    private static final String FILES = "Each function has a folder with %s or %s, and %s."
            .formatted(FunctionDirectory.CODE, FunctionDirectory.TYPESCRIPT, FunctionDirectory.DEFINITION);

    private final JsonMapper json;

    ArchiveReader(JsonMapper json) {
        this.json = json;
    }

    /** Returns the definitions as an import takes them: every function undeployed. */
    ArrayNode read(byte[] archive) {
        ArrayNode definitions = json.createArrayNode();
        Map<String, Map<String, byte[]>> folders = unpack(archive);
        folders.values().removeIf(files -> Collections.disjoint(files.keySet(), DEFINING));
        if (folders.isEmpty()) {
            throw GatewayException.invalidArchive("The body is not a zip archive, or the archive is empty.");
        }
        folders.forEach((folder, files) -> definitions.add(definition(folder, files)));
        return definitions;
    }

    private ObjectNode definition(String folder, Map<String, byte[]> files) {
        boolean typescript = files.containsKey(FunctionDirectory.TYPESCRIPT);
        String codeFile = typescript ? FunctionDirectory.TYPESCRIPT : FunctionDirectory.CODE;
        byte[] code = files.get(codeFile);
        byte[] given = files.get(FunctionDirectory.DEFINITION);
        if (code == null || given == null) {
            throw GatewayException.invalidArchive("'%s' is missing. %s"
                    .formatted(folder + (code == null ? FunctionDirectory.CODE : FunctionDirectory.DEFINITION), FILES));
        }
        if (typescript && files.containsKey(FunctionDirectory.CODE)) {
            throw GatewayException.invalidArchive(
                    "'%s' has code in JavaScript and in TypeScript; leave one out.".formatted(folder));
        }
        ObjectNode definition = object(folder + FunctionDirectory.DEFINITION, given);
        if (!definition.path("depcfg").isObject()) {
            throw GatewayException.invalidArchive("'%s' lacks the object 'depcfg' with the buckets of the function."
                    .formatted(folder + FunctionDirectory.DEFINITION));
        }
        definition.remove("$schema");
        if (!definition.has("appname") && !folder.isEmpty()) {
            String path = folder.substring(0, folder.length() - 1);
            definition.put("appname", path.substring(path.lastIndexOf('/') + 1));
        }
        definition.put("appcode", text(folder + codeFile, code));
        if (definition.has("settings") && !definition.path("settings").isObject()) {
            throw GatewayException.invalidArchive(
                    "The settings in '%s' must be a JSON object.".formatted(folder + FunctionDirectory.DEFINITION));
        }
        ObjectNode settings = definition.withObject("/settings");
        settings.put("deployment_status", false);
        settings.put("processing_status", false);
        if (typescript) {
            settings.put("language", "typescript");
        }
        files.forEach((path, content) -> FunctionDirectory.libraryOf(path)
                .ifPresent(id -> definition.withObject("/libraries").put(id, text(folder + path, content))));
        return definition;
    }

    /** Returns the files by folder, which ends with a slash or is empty, and name. */
    private static Map<String, Map<String, byte[]>> unpack(byte[] archive) {
        var folders = new TreeMap<String, Map<String, byte[]>>();
        long left = ArchiveLimits.MAX_UNPACKED_BYTES;
        int entries = 0;
        try (var zip = new ZipInputStream(new ByteArrayInputStream(archive), StandardCharsets.UTF_8)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (++entries > ArchiveLimits.MAX_ENTRIES) {
                    throw GatewayException.archiveTooLarge(
                            "The archive has more than %d entries.".formatted(ArchiveLimits.MAX_ENTRIES));
                }
                String path = checked(entry.getName());
                if (entry.isDirectory() || ofMacOs(path)) {
                    left -= content(zip, path, left).length;
                    continue;
                }
                int cut = folderEnd(path);
                String name = path.substring(cut);
                if (!DEFINING.contains(name)
                        && FunctionDirectory.libraryOf(name).isEmpty()) {
                    if (!other(path, name)) {
                        throw GatewayException.invalidArchive(
                                "'%s' is not a file of a function. %s".formatted(path, FILES));
                    }
                    left -= content(zip, path, left).length;
                    continue;
                }
                byte[] content = content(zip, path, left);
                left -= content.length;
                byte @Nullable [] former = folders.computeIfAbsent(path.substring(0, cut), folder -> new TreeMap<>())
                        .put(name, content);
                if (former != null) {
                    throw GatewayException.invalidArchive("'%s' is in the archive twice.".formatted(path));
                }
            }
        } catch (EOFException e) {
            throw GatewayException.invalidArchive("The archive ends too early; it is incomplete.");
        } catch (ZipException | IllegalArgumentException e) {
            throw GatewayException.invalidArchive("The archive is damaged: " + e.getMessage() + ".");
        } catch (IOException e) {
            throw GatewayException.invalidArchive("The archive cannot be read: " + e.getMessage() + ".");
        }
        return folders;
    }

    /** Returns where the path within the directory of a function begins; libraries are in a folder of that directory. */
    private static int folderEnd(String path) {
        int file = path.lastIndexOf('/') + 1;
        int above = file == 0 ? 0 : path.lastIndexOf('/', file - 2) + 1;
        return FunctionDirectory.libraryOf(path.substring(above)).isPresent() ? above : file;
    }

    /** Tests are in a folder of the directory of their function. */
    private static boolean other(String path, String name) {
        String[] parts = path.split("/");
        return FunctionDirectory.isOther(parts.length < 2 ? name : parts[parts.length - 2] + '/' + name)
                || FunctionDirectory.isOther(name);
    }

    private static byte[] content(ZipInputStream zip, String path, long left) throws IOException {
        int most = (int) Math.min(ArchiveLimits.MAX_FILE_BYTES, left);
        byte[] content = zip.readNBytes(most);
        if (content.length == most && zip.read() >= 0) {
            throw GatewayException.archiveTooLarge(
                    "'%s' unpacks to more than %d bytes, or all files together unpack to more than %d bytes."
                            .formatted(path, ArchiveLimits.MAX_FILE_BYTES, ArchiveLimits.MAX_UNPACKED_BYTES));
        }
        return content;
    }

    private static String checked(String path) {
        boolean climbs = Arrays.asList(path.split("/", -1)).contains("..");
        boolean odd = path.chars().anyMatch(c -> Character.isISOControl(c) || c == '\\');
        if (climbs || odd || path.startsWith("/") || path.length() > ArchiveLimits.MAX_NAME_CHARS) {
            String shown = path.replaceAll("\\p{Cntrl}", "?");
            throw GatewayException.invalidArchive("'%s' is not a valid path of a file in an archive."
                    .formatted(shown.substring(0, Math.min(shown.length(), 100))));
        }
        return path;
    }

    /** What the Finder adds to archives. */
    private static boolean ofMacOs(String path) {
        return path.startsWith("__MACOSX/") || path.equals(".DS_Store") || path.endsWith("/.DS_Store");
    }

    private ObjectNode object(String path, byte[] content) {
        try {
            if (json.readTree(content) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            var at = e.getLocation();
            throw GatewayException.invalidArchive("'%s' is not JSON: %s (line %d, column %d)."
                    .formatted(path, JsonMistake.of(e), at.getLineNr(), at.getColumnNr()));
        }
        throw GatewayException.invalidArchive("'%s' must hold a JSON object.".formatted(path));
    }

    private static String text(String path, byte[] content) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw GatewayException.invalidArchive("'%s' is not UTF-8 text.".formatted(path));
        }
    }
}
