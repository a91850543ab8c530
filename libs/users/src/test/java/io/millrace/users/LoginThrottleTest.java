package io.millrace.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {

    private final TestClock clock = new TestClock();
    private final LoginThrottle throttle = new LoginThrottle(clock);

    private void fail(int times, String user, String address) {
        for (int i = 0; i < times; i++) {
            throttle.failed(user, address);
        }
    }

    @Test
    void aUserAtAnAddress_isLockedOutAfterFiveFailures_forADoublingTime() {
        fail(4, "ann", "1.1.1.1");
        assertThat(throttle.delay("ann", "1.1.1.1")).isZero();

        fail(1, "ann", "1.1.1.1");
        assertThat(throttle.delay("ann", "1.1.1.1")).isEqualTo(Duration.ofSeconds(1));

        clock.advance(Duration.ofSeconds(1));
        assertThat(throttle.delay("ann", "1.1.1.1")).isZero();
        fail(1, "ann", "1.1.1.1");
        assertThat(throttle.delay("ann", "1.1.1.1")).isEqualTo(Duration.ofSeconds(2));

        fail(30, "ann", "1.1.1.1");
        assertThat(throttle.delay("ann", "1.1.1.1")).isEqualTo(UsersLimits.LONGEST_LOCKOUT);
    }

    @Test
    void othersAreNotLockedOut_neitherUsersNorAddresses() {
        fail(10, "ann", "1.1.1.1");

        assertThat(throttle.delay("bob", "1.1.1.1")).isZero();
        assertThat(throttle.delay("ann", "2.2.2.2")).isZero();
    }

    @Test
    void aSuccess_endsTheCount() {
        fail(4, "ann", "1.1.1.1");
        throttle.succeeded("ann", "1.1.1.1");
        fail(4, "ann", "1.1.1.1");

        assertThat(throttle.delay("ann", "1.1.1.1")).isZero();
    }

    @Test
    void failures_areForgottenAfterAQuarterOfAnHour() {
        fail(4, "ann", "1.1.1.1");
        clock.advance(UsersLimits.FAILURES_KEPT);
        fail(1, "ann", "1.1.1.1");

        assertThat(throttle.delay("ann", "1.1.1.1")).isZero();
    }

    @Test
    void anAddressThatTriesManyUsers_isLockedOutForTheRestOfTheMinute() {
        for (int i = 0; i < UsersLimits.MAX_FAILURES_OF_ADDRESS; i++) {
            throttle.failed("user" + i, "1.1.1.1");
        }

        assertThat(throttle.delay("ann", "1.1.1.1")).isEqualTo(UsersLimits.WINDOW);
        assertThat(throttle.delay("ann", "2.2.2.2")).isZero();
        clock.advance(UsersLimits.WINDOW);
        assertThat(throttle.delay("ann", "1.1.1.1")).isZero();
    }

    @Test
    void aLockOutOfAnAddress_leavesInWhoHasLoggedInFromThere_untilALoginOfTheirsFails() {
        throttle.succeeded("ann", "10.0.0.1");
        throttle.succeeded("carl", "10.0.0.1");
        throttle.failed("carl", "10.0.0.1");
        for (int i = 1; i < UsersLimits.MAX_FAILURES_OF_ADDRESS; i++) {
            throttle.failed("user" + i, "10.0.0.1");
        }

        assertThat(throttle.delay("ann", "10.0.0.1")).isZero();
        assertThat(throttle.delay("carl", "10.0.0.1")).isPositive();
        assertThat(throttle.delay("new", "10.0.0.1")).isPositive();
        throttle.failed("ann", "10.0.0.1");
        assertThat(throttle.delay("ann", "10.0.0.1")).isPositive();
    }

    @Test
    void aUserWhoIsAttackedFromManyAddresses_isSlowedDown_exceptWhereALoginSucceededBefore() {
        throttle.succeeded("ann", "9.9.9.9");
        for (int i = 0; i < UsersLimits.MAX_FAILURES_OF_USER; i++) {
            throttle.failed("ann", "1.1.1." + i);
        }

        assertThat(throttle.delay("ann", "2.2.2.2")).isEqualTo(UsersLimits.FIRST_LOCKOUT);
        assertThat(throttle.delay("ann", "9.9.9.9")).isZero();
        clock.advance(UsersLimits.FIRST_LOCKOUT);
        assertThat(throttle.delay("ann", "2.2.2.2")).isZero();
    }

    @Test
    void whatIsRemembered_isBounded() {
        fail(10, "ann", "1.1.1.1");
        for (int i = 0; i < UsersLimits.MAX_REMEMBERED; i++) {
            throttle.failed("user" + i, "address" + i);
        }

        assertThat(throttle.delay("ann", "1.1.1.1")).isZero();
    }

    @Test
    void addressesWhereLoginsFailed_standLast_untilThatIsForgotten() {
        fail(1, "ann", "10.0.0.1");

        assertThat(throttle.standing("bob", "10.0.0.1")).isEqualTo(Passwords.Standing.FAILED);
        assertThat(throttle.standing("bob", "10.0.0.2")).isEqualTo(Passwords.Standing.UNKNOWN);
        throttle.succeeded("bob", "10.0.0.1");
        assertThat(throttle.standing("bob", "10.0.0.1")).isEqualTo(Passwords.Standing.FAMILIAR);
        clock.advance(UsersLimits.FAILURES_KEPT);
        assertThat(throttle.standing("ann", "10.0.0.1")).isEqualTo(Passwords.Standing.UNKNOWN);
    }

    @Test
    void addressesOfOneNetwork_areOneClient() {
        for (int i = 0; i < UsersLimits.MAX_FAILURES_OF_PAIR; i++) {
            throttle.failed("ann", "2001:db8:0:7:0:0:0:" + i);
        }

        assertThat(throttle.delay("ann", "2001:db8:0:7:a:b:c:d")).isEqualTo(UsersLimits.FIRST_LOCKOUT);
        assertThat(throttle.delay("ann", "2001:db8:0:8:a:b:c:d")).isZero();
    }

    @Test
    void longNames_areRememberedInPart() {
        String longest = "n".repeat(UsersLimits.MAX_NAME_CHARS);
        fail(UsersLimits.MAX_FAILURES_OF_PAIR, longest + "1", "1.1.1.1");

        assertThat(throttle.delay(longest + "2", "1.1.1.1")).isEqualTo(UsersLimits.FIRST_LOCKOUT);
    }
}
