package io.millrace.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.users.Passwords.Origin;
import io.millrace.users.Passwords.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PasswordsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Passwords passwords = new Passwords();
    private final User ann = User.create("ann", "Ann", List.of(), "right horse");

    @AfterEach
    void close() {
        passwords.close();
    }

    private static Origin stranger(int address) {
        return new Origin("10.0.0." + address, Standing.UNKNOWN);
    }

    /** One of many addresses from which logins have failed. */
    private static Origin attacker(int address) {
        return new Origin("10.1." + address / 250 + "." + address % 250, Standing.FAILED);
    }

    private static boolean get(CompletableFuture<Boolean> check) throws Exception {
        return check.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Test
    void guessesOfOneAddress_waitInAShortLine_andDoNotStopOtherAddresses() throws Exception {
        List<CompletableFuture<Boolean>> guesses = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            guesses.add(passwords.matches(null, "guess-" + i, stranger(1)));
        }
        CompletableFuture<Boolean> other = passwords.matches(ann, "right horse", stranger(2));

        assertThat(guesses.stream().filter(guess -> !guess.isCompletedExceptionally()))
                .hasSize(UsersLimits.MAX_WAITING_OF_ADDRESS);
        assertThatThrownBy(() -> get(guesses.getLast()))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RejectedExecutionException.class);
        assertThat(get(other)).isTrue();
    }

    @Test
    void lineOfAnAddress_isFreeAgainWhenItsChecksAreDone() throws Exception {
        for (int i = 0; i < 2 * UsersLimits.MAX_WAITING_OF_ADDRESS; i++) {
            assertThat(get(passwords.matches(null, "guess-" + i, stranger(1)))).isFalse();
        }
    }

    @Test
    void userWhoHasLoggedInFromThereBefore_goesBeforeGuesses() throws Exception {
        List<String> done = new CopyOnWriteArrayList<>();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int address = 1; address <= 6; address++) {
            String first = "guess-" + address;
            all.add(passwords.matches(null, first, stranger(address)).thenAccept(same -> done.add(first)));
            String second = "other-" + address;
            all.add(passwords.matches(null, second, stranger(address)).thenAccept(same -> done.add(second)));
        }
        all.add(passwords
                .matches(ann, "right horse", new Origin("10.0.0.99", Standing.FAMILIAR))
                .thenAccept(same -> done.add("ann")));
        int before = done.size();

        get(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).thenApply(end -> true));

        assertThat(done.indexOf("ann")).isLessThanOrEqualTo(before + 1); // one guess may be under way
    }

    @Test
    void checksThatWait_areLimited() {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int address = 0; address < UsersLimits.MAX_WAITING + 100; address++) {
            all.add(passwords.matches(null, "guess-" + address, attacker(address)));
        }

        assertThat(all.stream().filter(CompletableFuture::isCompletedExceptionally))
                .isNotEmpty();
    }

    @Test
    void firstLoginFromAnAddress_goesBeforeAllGuesses_evenIfTheLineIsFull() throws Exception {
        List<CompletableFuture<Boolean>> guesses = new ArrayList<>();
        for (int address = 0; address < UsersLimits.MAX_WAITING + 100; address++) {
            guesses.add(passwords.matches(null, "guess-" + address, attacker(address)));
        }
        long doneBefore = done(guesses);

        assertThat(get(passwords.matches(ann, "right horse", stranger(7)))).isTrue();
        assertThat(done(guesses)).isLessThan(doneBefore + 100);
    }

    private static long done(List<CompletableFuture<Boolean>> checks) {
        return checks.stream()
                .filter(check -> check.isDone() && !check.isCompletedExceptionally())
                .count();
    }
}
