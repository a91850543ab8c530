package io.millrace.handler.host;

import io.millrace.handler.host.DocumentCall.DocumentAnswer;
import org.jspecify.annotations.Nullable;

/** A host without documents and network, for code that only computes. */
public class NoHost implements HandlerHost {
    @Override
    public @Nullable StoredDocument get(String alias, String id) {
        return null;
    }

    @Override
    public void upsert(String alias, String id, StoredDocument document) {}

    @Override
    public boolean delete(String alias, String id, boolean mustExist) {
        return true;
    }

    @Override
    public DocumentAnswer access(DocumentCall call) {
        return new DocumentAnswer.Refused(DocumentAnswer.Reason.KEY_NOT_FOUND);
    }

    @Override
    public HttpCall.Answer curl(HttpCall call) throws HostFailure {
        throw HostFailure.curlError("The network is not available here");
    }

    @Override
    public BindingDetails bindingDetails(String alias) {
        return new BindingDetails(alias, "_default", "_default", "r");
    }

    @Override
    public void log(LogLevel level, String line) {}
}
