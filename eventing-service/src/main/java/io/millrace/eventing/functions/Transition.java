package io.millrace.eventing.functions;

import io.millrace.eventing.definition.ErrorCode;
import io.millrace.eventing.definition.FunctionName;
import io.millrace.eventing.definition.FunctionsException;

/** The answer of a state to a request. */
sealed interface Transition {

    /** The function enters this state. */
    record To(FunctionState state) implements Transition {}

    /** The request is not possible in this state. */
    record Refused(ErrorCode code, String reason) implements Transition {}

    /** Returns the next state; fails with the error of a refusal. */
    default FunctionState orRefuse(FunctionName name) {
        return switch (this) {
            case To(FunctionState state) -> state;
            case Refused(ErrorCode code, String reason) ->
                throw FunctionsException.of(code, "Invalid operation. Function: %s %s".formatted(name, reason));
        };
    }
}
