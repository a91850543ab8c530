package io.millrace.problemdetails;

/** Ends a request with a problem as its response. It has no stack trace, because it reports no defect. */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    private ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    public static ProblemException of(Problem problem) {
        return new ProblemException(problem);
    }

    public Problem problem() {
        return problem;
    }
}
