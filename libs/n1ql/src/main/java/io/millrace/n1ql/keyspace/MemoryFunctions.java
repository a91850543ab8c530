package io.millrace.n1ql.keyspace;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** User-defined functions in memory. */
final class MemoryFunctions implements FunctionStore {

    private final Map<FunctionDefinition.Name, FunctionDefinition> functions = new ConcurrentHashMap<>();

    @Override
    public @Nullable FunctionDefinition find(FunctionDefinition.Name name) {
        return functions.get(name);
    }

    @Override
    public List<FunctionDefinition> all() {
        return List.copyOf(functions.values());
    }

    @Override
    public boolean put(FunctionDefinition definition, boolean replace) {
        if (replace) {
            functions.put(definition.name(), definition);
            return true;
        }
        return functions.putIfAbsent(definition.name(), definition) == null;
    }

    @Override
    public boolean drop(FunctionDefinition.Name name) {
        return functions.remove(name) != null;
    }
}
