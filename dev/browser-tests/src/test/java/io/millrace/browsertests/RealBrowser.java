package io.millrace.browsertests;

import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Gives tests the {@link Browser} and the {@link Store} that all share. Where no browser is installed the log says so and the
 * tests have nothing to run; {@code MILLRACE_BROWSER_TESTS=required} makes that a failure. A test that fails leaves a picture.
 */
final class RealBrowser
        implements BeforeAllCallback, InvocationInterceptor, ParameterResolver, AfterTestExecutionCallback {

    /** The store of the whole run closes what it has when the last class has ended. */
    @Override
    public void beforeAll(ExtensionContext extension) {
        extension.getRoot().getStore(ExtensionContext.Namespace.GLOBAL).computeIfAbsent(RealBrowser.class, key ->
                (AutoCloseable) Chromium::end);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext extension)
            throws Throwable {
        proceedWithBrowser(invocation);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext extension)
            throws Throwable {
        proceedWithBrowser(invocation);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext extension)
            throws Throwable {
        proceedWithBrowser(invocation);
    }

    private static void proceedWithBrowser(Invocation<@Nullable Void> invocation) throws Throwable {
        if (Chromium.shared().isPresent()) {
            invocation.proceed();
        } else {
            invocation.skip();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext extension) {
        Class<?> type = parameter.getParameter().getType();
        return type == Browser.class || type == Store.class;
    }

    /** Without a browser the parameter is not used: the method is not called. */
    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext extension) {
        Optional<Browser> browser = Chromium.shared();
        return browser.isEmpty()
                ? null
                : parameter.getParameter().getType() == Browser.class ? browser.get() : Store.shared();
    }

    @Override
    public void afterTestExecution(ExtensionContext extension) {
        if (extension.getExecutionException().isPresent()) {
            Chromium.shared()
                    .ifPresent(browser -> browser.picture(
                            Chromium.PICTURES.resolve(
                                    extension.getRequiredTestClass().getSimpleName() + "-"
                                            + extension.getRequiredTestMethod().getName() + ".png"),
                            true));
        }
    }
}
