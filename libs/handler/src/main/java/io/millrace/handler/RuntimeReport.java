package io.millrace.handler;

/**
 * How code runs in this process.
 *
 * @param implementation the engine's own name for its runtime
 * @param optimized true when hot code is compiled to machine code, false when all of it is interpreted
 * @param reason the reason, in words
 */
public record RuntimeReport(String implementation, boolean optimized, String reason) {

    /** Returns {@code optimized: reason} or {@code interpreted: reason}. */
    public String describe() {
        return (optimized ? "optimized: " : "interpreted: ") + reason;
    }
}
