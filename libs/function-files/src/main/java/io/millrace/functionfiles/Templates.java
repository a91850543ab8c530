package io.millrace.functionfiles;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The templates that Millrace brings. */
public final class Templates {

    private static final JsonMapper JSON = JsonMapper.shared();

    private Templates() {}

    /** Returns all templates, the simplest first. */
    public static List<Template> all() {
        return JSON.readTree(text("templates/index.json"))
                .valueStream()
                .map(Templates::template)
                .toList();
    }

    /** Returns the template of a name. */
    public static Optional<Template> find(String name) {
        return all().stream().filter(template -> template.name().equals(name)).findFirst();
    }

    private static Template template(JsonNode entry) {
        String name = entry.path("name").asString();
        String directory = "templates/" + name + "/";
        return new Template(
                name,
                entry.path("title").asString(),
                entry.path("description").asString(),
                text(directory + FunctionDirectory.CODE),
                JSON.readTree(text(directory + FunctionDirectory.DEFINITION)),
                JSON.readTree(text(directory + FunctionDirectory.TESTS + "/handler.json")),
                entry.path("sample"));
    }

    /** Returns a resource of this package as text. */
    static String text(String resource) {
        try (InputStream stream = Templates.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("The resource " + resource + " is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
