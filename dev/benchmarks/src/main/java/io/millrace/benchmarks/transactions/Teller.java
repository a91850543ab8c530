package io.millrace.benchmarks.transactions;

import com.couchbase.client.java.Cluster;
import com.couchbase.client.java.Collection;
import com.couchbase.client.java.json.JsonObject;
import com.couchbase.client.java.transactions.TransactionAttemptContext;
import com.couchbase.client.java.transactions.TransactionGetResult;
import com.couchbase.client.java.transactions.config.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** Moves money by transactions of the SDK. */
final class Teller {

    private static final int MOST = 9;

    private final Cluster cluster;
    private final Collection accounts;
    private final Random random;
    private final TransactionOptions options;

    /** @param timeout of each transaction */
    Teller(Cluster cluster, long seed, Duration timeout) {
        this.cluster = cluster;
        this.accounts = cluster.bucket(Accounts.BUCKET).defaultCollection();
        this.random = new Random(seed);
        this.options = TransactionOptions.transactionOptions().timeout(timeout);
    }

    /** Where a transaction stops for ever, if it does. */
    enum Stop {
        NOWHERE,
        /** One of two changes is staged. */
        STAGED,
        /** The next step is to commit. */
        COMMITTING
    }

    void transfer() {
        transfer(Stop.NOWHERE, () -> {});
    }

    /** @param there called when the transaction has got to where it stops */
    void transfer(Stop stop, Runnable there) {
        int branch = random.nextInt(Accounts.BRANCHES);
        int from = random.nextInt(Accounts.IN_BRANCH);
        int to = (from + 1 + random.nextInt(Accounts.IN_BRANCH - 1)) % Accounts.IN_BRANCH;
        int amount = 1 + random.nextInt(MOST);
        cluster.transactions()
                .run(
                        attempt -> {
                            TransactionGetResult first = attempt.get(accounts, Accounts.id(branch, from));
                            TransactionGetResult second = attempt.get(accounts, Accounts.id(branch, to));
                            replace(attempt, first, -amount);
                            if (stop == Stop.STAGED) {
                                there.run();
                                sleepForEver();
                            }
                            replace(attempt, second, amount);
                            if (stop == Stop.COMMITTING) {
                                there.run();
                            }
                        },
                        options);
        if (stop != Stop.NOWHERE) {
            sleepForEver();
        }
    }

    /**
     * Returns the sum of one branch. The transaction writes what it has read, so it commits only if no account has changed
     * meanwhile: reads alone may each be of another moment.
     */
    int sumOfBranch() {
        int branch = random.nextInt(Accounts.BRANCHES);
        List<Integer> balances = new ArrayList<>();
        cluster.transactions()
                .run(
                        attempt -> {
                            balances.clear();
                            for (int i = 0; i < Accounts.IN_BRANCH; i++) {
                                TransactionGetResult account = attempt.get(accounts, Accounts.id(branch, i));
                                balances.add(replace(attempt, account, 0));
                            }
                        },
                        options);
        return balances.stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the balance before the change. */
    private static int replace(TransactionAttemptContext attempt, TransactionGetResult account, int by) {
        JsonObject content = account.contentAs(JsonObject.class);
        int balance = content.getInt(Accounts.FIELD);
        attempt.replace(
                account,
                content.put(Accounts.FIELD, balance + by).put(Accounts.CHANGES, content.getInt(Accounts.CHANGES) + 1));
        return balance;
    }

    private static void sleepForEver() {
        while (true) {
            LockSupport.park();
        }
    }
}
