package io.millrace.n1ql.runtime;

import io.millrace.n1ql.value.Value;

/** A compiled expression. Has no state: plans are shared by threads. */
@FunctionalInterface
public interface Eval {

    Value eval(Frame frame);
}
