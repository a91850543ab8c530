package io.millrace.redis;

/** The functions of a library for tests. */
enum Sample {
    ADD,
    LOOK;

    static final FunctionLibrary<Sample> LIBRARY =
            FunctionLibrary.of("millrace_sample", Sample.class, FunctionLibrary.read(Sample.class, "shared"));
}
