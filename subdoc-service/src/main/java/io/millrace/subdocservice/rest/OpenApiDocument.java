package io.millrace.subdocservice.rest;

import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.OpenAPI;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.springframework.core.io.ClassPathResource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The OpenAPI document of this service, which is written by hand in a resource. */
final class OpenApiDocument {

    private static final String RESOURCE = "openapi/document-service.yaml";
    private static final int MAX_ALIASES = 1000;

    private OpenApiDocument() {}

    /** Puts everything that the resource describes into the document; its servers stay as they are. */
    static void describe(OpenAPI api) {
        OpenAPI written = read();
        api.info(written.getInfo())
                .tags(written.getTags())
                .paths(written.getPaths())
                .components(written.getComponents());
    }

    private static OpenAPI read() {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(MAX_ALIASES);
        try (InputStream text = new ClassPathResource(RESOURCE).getInputStream()) {
            Object tree = new Yaml(new SafeConstructor(options)).load(text);
            return Json31.mapper().convertValue(tree, OpenAPI.class);
        } catch (IOException e) {
            throw new UncheckedIOException("The resource " + RESOURCE + " is not readable", e);
        }
    }
}
