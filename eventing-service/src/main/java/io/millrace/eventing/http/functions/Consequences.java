package io.millrace.eventing.http.functions;

import io.millrace.eventing.definition.FunctionGraph.Neighbours;
import io.millrace.eventing.definition.FunctionName;
import java.util.List;
import java.util.stream.Stream;

/** What a change of one function means for the deployed functions that wake it or that it wakes, as warnings. */
final class Consequences {

    /** How a function stops, and what that means for those that wake it. */
    enum Stop {
        PAUSE("their changes are handled when it is resumed"),
        UNDEPLOY(
                "their changes are not handled until it is deployed again, past ones only with the feed boundary everything"),
        DELETE("their changes are not handled any more");

        private final String meaning;

        Stop(String meaning) {
            this.meaning = meaning;
        }
    }

    private Consequences() {}

    static List<String> of(Stop stop, FunctionName name, Neighbours deployed) {
        Stream<String> wakers = deployed.wakers().isEmpty()
                ? Stream.empty()
                : Stream.of("Function: %s is woken by %s, deployed now: %s."
                        .formatted(name, list(deployed.wakers()), stop.meaning));
        boolean stoppedBefore = stop == Stop.DELETE;
        Stream<String> woken = stoppedBefore || deployed.woken().isEmpty()
                ? Stream.empty()
                : Stream.of("Function: %s wakes %s, deployed now: no changes come from it until it runs again."
                        .formatted(name, list(deployed.woken())));
        return Stream.concat(wakers, woken).toList();
    }

    /** Returns which relations a function has lost by what was saved. */
    static List<String> ofSaving(FunctionName name, Neighbours before, Neighbours after) {
        Stream<String> wakers = without(before.wakers(), after.wakers())
                .map(waker -> "Function: %s is deployed and does not wake %s any more.".formatted(waker, name));
        Stream<String> woken = without(before.woken(), after.woken())
                .map(other -> "Function: %s does not wake %s any more, which is deployed.".formatted(name, other));
        return Stream.concat(wakers, woken).toList();
    }

    private static Stream<FunctionName> without(List<FunctionName> all, List<FunctionName> some) {
        return all.stream().filter(name -> !some.contains(name));
    }

    private static String list(List<FunctionName> names) {
        return String.join(", ", names.stream().map(FunctionName::toString).toList());
    }
}
