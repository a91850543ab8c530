package io.millrace.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The settings of functions for the form: the reference page, which is made from the code, as TypeScript. */
final class SettingsTable {

    private static final List<String> NAMES = List.of("name", "fallback", "values", "change", "meaning");

    private SettingsTable() {}

    static String read(Path page) throws IOException {
        List<String[]> rows = Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| ", -1))
                .toList();
        if (rows.isEmpty() || rows.stream().anyMatch(row -> row.length != NAMES.size())) {
            throw new IOException(page + " has no table of settings with the columns " + NAMES);
        }
        String table = rows.stream().map(SettingsTable::object).collect(Collectors.joining(",\n"));
        return "import type { SettingRow } from '../src/features/functions/settingForms';\n\nexport const SETTINGS: SettingRow[] = [\n"
                + table + "\n];\n";
    }

    private static String object(String[] row) {
        JsonMapper json = JsonMapper.shared();
        return Stream.iterate(0, i -> i < NAMES.size(), i -> i + 1)
                .map(i -> NAMES.get(i) + ": " + json.writeValueAsString(row[i].replace("`", "")))
                .collect(Collectors.joining(", ", "  { ", " }"));
    }
}
