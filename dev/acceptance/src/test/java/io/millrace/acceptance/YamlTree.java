package io.millrace.acceptance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A node of a YAML file; a missing node is empty. */
record YamlTree(@Nullable Object value) {

    static List<YamlTree> load(Path file) {
        return parse(Repository.read(file));
    }

    static List<YamlTree> parse(String text) {
        List<YamlTree> documents = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text)) {
            documents.add(new YamlTree(document));
        }
        return documents;
    }

    YamlTree at(String... path) {
        YamlTree place = this;
        for (String key : path) {
            place = new YamlTree(place.value instanceof Map<?, ?> map ? map.get(key) : null);
        }
        return place;
    }

    String text() {
        return String.valueOf(value);
    }

    List<YamlTree> items() {
        return value instanceof List<?> list ? list.stream().map(YamlTree::new).toList() : List.of();
    }

    List<String> texts() {
        return items().stream().map(YamlTree::text).toList();
    }

    Map<String, YamlTree> fields() {
        Map<String, YamlTree> fields = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, field) -> fields.put(String.valueOf(key), new YamlTree(field)));
        }
        return fields;
    }

    Set<String> keys() {
        return fields().keySet();
    }

    /** Applies a patch as Kustomize does: merges maps, matches list items by name, and replaces other values. */
    YamlTree patchedWith(YamlTree patch) {
        return new YamlTree(patched(value, patch.value));
    }

    private static @Nullable Object patched(@Nullable Object base, @Nullable Object patch) {
        if (base instanceof Map<?, ?> fields && patch instanceof Map<?, ?> changes) {
            Map<Object, @Nullable Object> merged = new LinkedHashMap<>(fields);
            changes.forEach((key, change) -> merged.put(key, patched(fields.get(key), change)));
            return merged;
        }
        if (base instanceof List<?> items && patch instanceof List<?> changes) {
            List<@Nullable Object> merged = new ArrayList<>(items);
            for (Object change : changes) {
                String name = new YamlTree(change).at("name").text();
                List<String> names = merged.stream()
                        .map(item -> new YamlTree(item).at("name").text())
                        .toList();
                int index = names.indexOf(name);
                if (index < 0) {
                    merged.add(change);
                } else {
                    merged.set(index, patched(merged.get(index), change));
                }
            }
            return merged;
        }
        return patch;
    }
}
