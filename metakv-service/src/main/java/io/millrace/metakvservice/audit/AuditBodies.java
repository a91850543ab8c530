package io.millrace.metakvservice.audit;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** The bodies of requests and responses; that of {@link Lines} is written by hand, because it keeps the bytes of the lines. */
final class AuditBodies {

    private AuditBodies() {}

    @Schema(name = "AuditLines", description = "Lines of audit trails")
    record Lines(
            @Schema(description = "the lines as in the files")
            List<Object> lines,

            @Schema(description = "the `since` of the next page")
            long next,

            @Schema(description = "whether there are further lines now")
            boolean more) {}

    @Schema(name = "AuditTrails", description = "The trails with lines in the stream")
    record Known(List<Trail> trails) {}

    @Schema(name = "AuditTrail", description = "How far the copy of a trail is")
    record Trail(
            @Schema(description = "service, port and a random number")
            String trail,

            @Schema(description = "`seq` of the last line that was copied")
            long sequence) {}

    @Schema(name = "AuditAppend", description = "Lines of a trail, in order")
    record Append(List<String> lines) {}
}
