package io.millrace.benchmarks.transactions;

/** The accounts: each belongs to a branch, and money stays in its branch. */
final class Accounts {

    static final int BRANCHES = 10;
    static final int IN_BRANCH = 5;
    static final int BALANCE = 1000;
    static final int SUM_OF_BRANCH = IN_BRANCH * BALANCE;
    static final String BUCKET = "bank";
    static final String FIELD = "balance";

    private Accounts() {}

    static String id(int branch, int account) {
        return "account-" + branch + '-' + account;
    }
}
