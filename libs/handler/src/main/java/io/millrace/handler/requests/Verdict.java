package io.millrace.handler.requests;

import java.util.List;

/** What the comparison of a request with {@link RequestSchema} has shown. */
public sealed interface Verdict {

    record Fits() implements Verdict {}

    /** The function is not called. */
    sealed interface Refused extends Verdict {

        /** Returns the HTTP status of the response. */
        int status();

        /** Returns the code of the problem in the response. */
        String code();

        /** Returns what is wrong, in words. @param function its name */
        String detail(String function);
    }

    /** No path fits. */
    record NoPath() implements Refused {

        @Override
        public int status() {
            return 404;
        }

        @Override
        public String code() {
            return "path_not_described";
        }

        @Override
        public String detail(String function) {
            return "The setting openapi of the function %s has no such path. The function was not called."
                    .formatted(function);
        }
    }

    /** @param allowed the methods of the path */
    record NoMethod(List<String> allowed) implements Refused {

        @Override
        public int status() {
            return 405;
        }

        @Override
        public String code() {
            return "method_not_described";
        }

        @Override
        public String detail(String function) {
            return "The setting openapi of the function %s has only %s for this path. The function was not called."
                    .formatted(function, allowed);
        }
    }

    /** @param mistakes in words */
    record Wrong(List<String> mistakes) implements Refused {

        @Override
        public int status() {
            return 400;
        }

        @Override
        public String code() {
            return "invalid_request";
        }

        @Override
        public String detail(String function) {
            return "The request is not as the function describes it: %s. The function was not called."
                    .formatted(String.join("; ", mistakes));
        }
    }
}
