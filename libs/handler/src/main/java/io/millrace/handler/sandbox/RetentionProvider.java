package io.millrace.handler.sandbox;

import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import com.oracle.truffle.api.instrumentation.provider.TruffleInstrumentProvider;
import java.util.Collection;
import java.util.List;
import org.graalvm.polyglot.SandboxPolicy;

/** How the engine finds {@link Retention}. */
@TruffleInstrument.Registration(
        id = Retention.ID,
        name = "Retention",
        services = Retention.class,
        sandbox = SandboxPolicy.CONSTRAINED)
public final class RetentionProvider extends TruffleInstrumentProvider {

    @Override
    protected String getInstrumentClassName() {
        return Retention.class.getName();
    }

    @Override
    protected Object create() {
        return new Retention();
    }

    @Override
    protected Collection<String> getServicesClassNames() {
        return List.of(Retention.class.getName());
    }
}
