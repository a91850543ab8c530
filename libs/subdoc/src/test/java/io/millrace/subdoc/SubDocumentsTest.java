package io.millrace.subdoc;

import io.millrace.subdoc.Answer.Edit;
import io.millrace.subdoc.Outcome.PathResult;
import io.millrace.subdoc.Spec.PathFlag;
import java.util.List;
import java.util.Objects;

/** The contract on the operations at paths, without any request around them. */
class SubDocumentsTest extends SubdocContract {

    @Override
    protected boolean checksRequests() {
        return false;
    }

    @Override
    protected VectorRunner runner() {
        return new VectorRunner() {
            @Override
            public boolean supports(Vector vector) {
                return vector.engine() && vector.document() != null;
            }

            @Override
            public Seen run(Vector vector) {
                Spec spec = vector.specs().get(0);
                byte[] document = Objects.requireNonNull(vector.document());
                if (!SubDocuments.isJson(document)) {
                    return new Seen(Status.DOC_NOTJSON, List.of(), document, null, null);
                }
                boolean mkdirP = (spec.flags() & PathFlag.MKDIR_P) != 0;
                Answer answer = SubDocuments.run(spec.operation(), mkdirP, document, spec.path(), spec.value());
                Edit edit = answer.edit();
                boolean gives = answer.value().length > 0;
                return new Seen(
                        answer.status(),
                        gives ? List.of(new PathResult(0, answer.status(), answer.value())) : List.of(),
                        edit == null ? document : edit.toBytes(),
                        null,
                        null);
            }
        };
    }
}
