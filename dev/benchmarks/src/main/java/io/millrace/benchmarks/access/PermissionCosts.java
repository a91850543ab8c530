package io.millrace.benchmarks.access;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.access.Resource;
import io.millrace.access.Role;
import io.millrace.access.Subject;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The time that a check of a permission takes, in this process. */
public final class PermissionCosts {

    /** The most that a check may cost. */
    private static final double LIMIT_NANOS = 1_000;

    /** As many roles as a user may have. */
    private static final int ROLES = 64;

    private static final int CHECKS = 2_000_000;
    private static final int ROUNDS = 8;

    /** Read for each check, so that no compiler can tell the answer in advance. */
    private static volatile Subject subject = Subject.anonymous();

    private PermissionCosts() {}

    /** Prints the time of a check for several users; returns whether each is below the limit. */
    public static boolean print(PrintStream out) {
        boolean right = print(out, "administrator", List.of(Role.ADMIN));
        right &= print(out, "one collection", Role.parseAll("data_reader[orders:_default:_default]"));
        right &= print(out, "%d collections, the last one matches".formatted(ROLES), roles("orders"));
        right &= print(out, "%d collections, none matches".formatted(ROLES), roles("other"));
        return right;
    }

    /** Returns the role to read a bucket's default collection, as text. */
    public static String narrowRole(String bucket) {
        return "data_reader[" + bucket + ":_default:_default]";
    }

    /** Returns as many roles as a user may have, as text; the last one is to read a bucket's default collection. */
    public static String narrowRoles(String bucket) {
        return roles(bucket).stream().map(Role::toString).collect(Collectors.joining(","));
    }

    /** Returns roles on collections, the last one on the default collection of a bucket. */
    private static List<Role> roles(String bucket) {
        List<Role> roles = new ArrayList<>(IntStream.range(1, ROLES)
                .mapToObj(i -> Role.parse("data_reader[%s:shop:c%d]".formatted(bucket, i)))
                .toList());
        roles.add(Role.parse(narrowRole(bucket)));
        return roles;
    }

    private static boolean print(PrintStream out, String name, List<Role> roles) {
        subject = Subject.user("ann", Subject.Domain.LOCAL, roles);
        double nanos = Double.MAX_VALUE;
        long allowed = 0;
        for (int round = 0;
                round < ROUNDS;
                round++) { // the first rounds warm up; the fastest one was interrupted least
            long begun = System.nanoTime();
            for (int i = 0; i < CHECKS; i++) {
                // a resource for each check, as for each request
                Resource resource = Resource.keyspace("orders", Resource.DEFAULT, Resource.DEFAULT);
                allowed += Access.allowed(subject, Permission.DATA_READ, resource) ? 1 : 0;
            }
            nanos = Math.min(nanos, (System.nanoTime() - begun) / (double) CHECKS);
        }
        boolean right = nanos < LIMIT_NANOS;
        out.printf(
                "permission check, %-38s %6.1f ns, %s%s%n",
                name + ":", nanos, allowed == 0 ? "refused" : "allowed", right ? "" : "; LONGER THAN 1 us");
        return right;
    }
}
