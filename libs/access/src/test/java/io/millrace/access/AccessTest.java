package io.millrace.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AccessTest {

    private static final List<Resource> RESOURCES = List.of(
            Resource.cluster(),
            Resource.bucket("b"),
            Resource.bucket("c"),
            Resource.scope("b", "s"),
            Resource.scope("b", "t"),
            Resource.scope("c", "s"),
            Resource.keyspace("b", "s", "k"),
            Resource.keyspace("b", "s", "l"),
            Resource.keyspace("b", "t", "k"),
            Resource.keyspace("c", "s", "k"));

    @ParameterizedTest
    @CsvSource({
        // target, then whether it covers: cluster, b, c, b:s, b:t, c:s, b:s:k, b:s:l, b:t:k, c:s:k
        "*,     1111111111",
        "b,     0101101110",
        "b:s,   0001001100",
        "b:s:k, 0000001000",
        "x,     0000000000",
    })
    void target_coversWhatIsWhollyInsideIt(String target, String covered) {
        assertThat(bits(Target.parse(target)::covers)).isEqualTo(covered);
    }

    @ParameterizedTest
    @CsvSource({
        "*,     1111111111",
        "b,     1101101110",
        "b:s,   1101001100",
        "b:s:k, 1101001000",
        "x,     1000000000",
    })
    void target_touchesWhatIsPartlyInsideIt(String target, String touched) {
        assertThat(bits(Target.parse(target)::touches)).isEqualTo(touched);
    }

    /** Every role on every target that it can have, every permission, every resource. */
    @ParameterizedTest
    @EnumSource(RoleName.class)
    void role_allowsItsPermissionsWithinItsTarget_andNothingElse(RoleName name) {
        for (String text : List.of("*", "b", "b:s", "b:s:k", "x")) {
            Target target = Target.parse(text);
            if (target.depth() > name.level().depth()) {
                continue;
            }
            Subject subject = user(new Role(name, target));
            for (Permission permission : Permission.values()) {
                for (Resource resource : RESOURCES) {
                    boolean inside =
                            permission == Permission.BUCKET_ACCESS ? target.touches(resource) : target.covers(resource);
                    assertThat(Access.allowed(subject, permission, resource))
                            .as("%s[%s] %s %s", name, target, permission, resource)
                            .isEqualTo(name.grants(permission) && inside);
                }
            }
        }
    }

    @Test
    void roleOnATopic_isAboutThisTopicAndNothingElse() {
        Subject one = user(Role.parse("topics_reader[shop.orders]"), Role.parse("data_reader[shop.paid]"));
        Subject all = user(Role.parse("topics_reader[*]"));

        assertThat(Access.allowed(one, Permission.TOPICS_READ, Resource.topic("shop.orders")))
                .isTrue();
        assertThat(Access.allowed(one, Permission.TOPICS_READ, Resource.topic("shop.paid")))
                .isFalse();
        assertThat(Access.allowed(one, Permission.TOPICS_READ, Resource.topic("shop:orders")))
                .isFalse();
        assertThat(Access.allowed(one, Permission.DATA_READ, Resource.bucket("shop.orders")))
                .isFalse();
        assertThat(Access.allowed(all, Permission.TOPICS_READ, Resource.topic("shop:orders")))
                .isTrue();
        assertThat(Access.allowed(
                        user(Role.parse("streams_reader")), Permission.TOPICS_READ, Resource.topic("shop.orders")))
                .isFalse();
    }

    @Test
    void roles_addUp() {
        Subject subject =
                user(Role.parse("data_reader[b:s]"), Role.parse("data_reader[c]"), Role.parse("data_writer[b]"));

        assertThat(bits(resource -> Access.allowed(subject, Permission.DATA_READ, resource)))
                .isEqualTo("0011011101");
        assertThat(bits(resource -> Access.allowed(subject, Permission.DATA_WRITE, resource)))
                .isEqualTo("0101101110");
        assertThat(bits(resource -> Access.allowed(subject, Permission.DATA_DCP, resource)))
                .isEqualTo("0000000000");
    }

    @ParameterizedTest
    @EnumSource(Permission.class)
    void aSubjectWithoutRoles_mayDoNothing(Permission permission) {
        for (Resource resource : RESOURCES) {
            assertThat(Access.allowed(Subject.anonymous(), permission, resource))
                    .isFalse();
            assertThat(Access.allowed(user(), permission, resource)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Permission.class)
    void aService_mayDoEverything_alsoInBucketsOfTheSystem(Permission permission) {
        Subject service = Subject.service("eventing-service");

        assertThat(Access.allowed(service, permission, Resource.cluster())).isTrue();
        assertThat(Access.allowed(service, permission, Resource.defaultKeyspace("_metakv")))
                .isTrue();
    }

    static Stream<Subject> administrators() {
        return Stream.of(
                Subject.open(),
                user(Role.ADMIN),
                user(Role.parse("data_reader[_metakv]"), Role.parse("bucket_admin[*]"), Role.parse("data_writer[*]")));
    }

    @ParameterizedTest
    @MethodSource("administrators")
    void bucketsOfTheSystem_areClosedWhateverTheRoles(Subject subject) {
        for (Permission permission : Permission.values()) {
            for (Resource resource : List.of(
                    Resource.bucket("_metakv"),
                    Resource.scope("_metakv", "_default"),
                    Resource.defaultKeyspace("_metakv"))) {
                assertThat(Access.allowed(subject, permission, resource)).isFalse();
            }
        }
    }

    @Test
    void internalPermission_isHeldByServicesOnly() {
        for (RoleName name : RoleName.values()) {
            assertThat(name.grants(Permission.INTERNAL)).as(name.label()).isFalse();
        }
    }

    @Test
    void everyPermissionButTheInternalOne_isGrantedByTheAdministratorAndEachByAnotherRoleToo() {
        for (Permission permission : Permission.values()) {
            long roles = Arrays.stream(RoleName.values())
                    .filter(role -> role.grants(permission))
                    .count();
            boolean lonely = permission == Permission.INTERNAL || permission == Permission.CONFIG_WRITE;
            assertThat(roles > 1).as(permission.label()).isEqualTo(!lonely);
        }
    }

    @Test
    void onlyRolesThatLeadToAllOthers_areAdministrative() {
        List<String> found = new ArrayList<>();
        for (RoleName name : RoleName.values()) {
            if (name.administrative()) {
                found.add(name.label());
            }
        }

        assertThat(found).containsExactly("admin", "cluster_admin", "security_admin");
    }

    @Test
    void theFunctionScopeOfAdministrators_isTheCluster() {
        Subject everywhere = user(Role.parse("eventing_admin"));
        Subject inOneScope = user(Role.parse("eventing_manage_functions[b:s]"));

        assertThat(Access.allowed(everywhere, Permission.FUNCTIONS_MANAGE, Resource.functionScope("*", "*")))
                .isTrue();
        assertThat(Access.allowed(inOneScope, Permission.FUNCTIONS_MANAGE, Resource.functionScope("*", "*")))
                .isFalse();
        assertThat(Access.allowed(inOneScope, Permission.FUNCTIONS_MANAGE, Resource.functionScope("b", "s")))
                .isTrue();
        assertThat(Access.allowed(inOneScope, Permission.FUNCTIONS_MANAGE, Resource.functionScope("b", "t")))
                .isFalse();
    }

    private static Subject user(Role... roles) {
        return Subject.user("ann", Subject.Domain.LOCAL, List.of(roles));
    }

    private static String bits(Predicate<Resource> test) {
        StringBuilder bits = new StringBuilder();
        RESOURCES.forEach(resource -> bits.append(test.test(resource) ? '1' : '0'));
        return bits.toString();
    }
}
