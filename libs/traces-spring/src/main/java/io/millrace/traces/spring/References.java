package io.millrace.traces.spring;

import io.millrace.traces.Span;
import io.millrace.traces.Span.Attribute;
import io.millrace.traces.spring.TraceStore.Reference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What leads to the trace of some spans. */
final class References {

    private static final int MAX_REFERENCES = 200;

    private References() {}

    static Set<Reference> of(List<Span> spans) {
        Set<Reference> references = new LinkedHashSet<>();
        for (Span span : spans) {
            if (span.kind() == Span.Kind.WRITE) {
                references.add(Reference.WRITES);
            }
            String function = span.attribute(Attribute.FUNCTION);
            String document = span.attribute(Attribute.DOCUMENT);
            String stream = span.attribute(Attribute.STREAM); // is a document with that id
            String request = span.attribute(Attribute.REQUEST);
            if (!function.isEmpty()) {
                references.add(Reference.function(function));
            }
            if (!document.isEmpty() && references.size() < MAX_REFERENCES) {
                references.add(Reference.document(document));
            }
            if (!stream.isEmpty()) {
                references.add(Reference.document(stream));
            }
            if (!request.isEmpty()) {
                references.add(Reference.request(request));
            }
        }
        return references;
    }
}
