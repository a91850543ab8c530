package io.millrace.documents.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.documents.DocumentStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForwardingDocumentStoreTest {

    static Stream<Method> calls() {
        return Arrays.stream(DocumentStore.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()));
    }

    /** Also a call with a default: the store behind may answer it otherwise. */
    @ParameterizedTest
    @MethodSource("calls")
    void everyCall_reachesTheStoreBehind(Method call) throws Exception {
        List<Method> received = new ArrayList<>();
        DocumentStore behind = (DocumentStore) Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                    received.add(method);
                    return null;
                });
        DocumentStore store = new ForwardingDocumentStore() {
            @Override
            protected DocumentStore behind() {
                return behind;
            }
        };

        Object[] arguments = Arrays.stream(call.getParameterTypes())
                .map(ForwardingDocumentStoreTest::any)
                .toArray();
        call.invoke(store, arguments);

        assertThat(received).containsExactly(call);
    }

    private static @Nullable Object any(Class<?> type) {
        return type == int.class ? (Object) 1 : type == long.class ? (Object) 1L : null;
    }
}
