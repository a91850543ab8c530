package io.millrace.subdocservice.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.couchbase.client.core.error.CouchbaseException;
import com.couchbase.client.core.error.UserNotFoundException;
import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.manager.user.AuthDomain;
import com.couchbase.client.java.manager.user.Role;
import com.couchbase.client.java.manager.user.RoleAndDescription;
import com.couchbase.client.java.manager.user.User;
import com.couchbase.client.java.manager.user.UserAndMetadata;
import com.couchbase.client.java.manager.user.UserManager;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The published SDK manages users, and one of them logs in with it. */
class SdkUsersIT {

    private final SdkKit kit = SdkKit.shared();
    private final UserManager users = kit.cluster.users();

    @Test
    void user_isCreatedLogsInIsChangedAndDropped() {
        String bucket = kit.bucket.name();
        users.upsertUser(new User("sdk-ann")
                .displayName("Ann")
                .password("right horse")
                .roles(new Role("data_reader", bucket), new Role("data_writer", bucket, "s", "c")));

        UserAndMetadata read = users.getUser(AuthDomain.LOCAL, "sdk-ann");
        assertThat(read.user().displayName()).isEqualTo("Ann");
        assertThat(read.innateRoles())
                .containsExactlyInAnyOrder(
                        new Role("data_reader", bucket, "*", "*"), new Role("data_writer", bucket, "s", "c"));
        assertThat(users.getAllUsers())
                .extracting(each -> each.user().username())
                .contains(SdkKit.USER, "sdk-ann");

        assertThat(kit.cluster
                        .query("SELECT RAW r.`bucket_name` FROM system:applicable_roles r WHERE r.grantee = 'sdk-ann'"
                                + " AND r.scope_name = 's'")
                        .rowsAs(String.class))
                .containsExactly(bucket);

        Cluster asAnn = kit.connect("sdk-ann", "right horse");
        try {
            asAnn.bucket(bucket).waitUntilReady(Duration.ofSeconds(60));
            asAnn.bucket(bucket).scope("s").collection("c").upsert("k", "v");
            assertThatThrownBy(() -> asAnn.bucket(bucket).defaultCollection().upsert("k", "v"))
                    .isInstanceOf(CouchbaseException.class);
            assertThatThrownBy(() -> asAnn.users().getAllUsers()).hasMessageContaining("403");
            assertThatThrownBy(() -> asAnn.query("SELECT * FROM system:user_info"))
                    .hasMessageContaining("Add role security_admin");
            asAnn.users().changePassword("other horse");
        } finally {
            asAnn.disconnect();
        }

        users.upsertUser(read.user().roles(new Role("ro_admin")));
        assertThat(users.getUser(AuthDomain.LOCAL, "sdk-ann").innateRoles()).containsExactly(new Role("ro_admin"));
        users.dropUser("sdk-ann");
        assertThatThrownBy(() -> users.getUser(AuthDomain.LOCAL, "sdk-ann")).isInstanceOf(UserNotFoundException.class);
        assertThatThrownBy(() -> users.dropUser("sdk-ann")).isInstanceOf(UserNotFoundException.class);
    }

    @Test
    void roles_areListed() {
        assertThat(users.getRoles())
                .extracting(RoleAndDescription::role)
                .contains(new Role("admin"), new Role("data_reader", "*", "*", "*"));
    }
}
