package io.millrace.benchmarks.transactions;

/**
 * The accounts: each belongs to a branch, and money stays in its branch.
 *
 * <p>An account counts its changes, so that no body ever comes back. The SDK for Java (3.12.1) takes a document for unchanged if the
 * checksum of its body is that of its read. When it has read what another transaction had staged and committed, that is the
 * body before: a third transaction that gives the account back its former balance would then go unnoticed, and its change be lost.
 */
final class Accounts {

    static final int BRANCHES = 10;
    static final int IN_BRANCH = 5;
    static final int BALANCE = 1000;
    static final int SUM_OF_BRANCH = IN_BRANCH * BALANCE;
    static final String BUCKET = "bank";
    static final String FIELD = "balance";
    static final String CHANGES = "changes";

    private Accounts() {}

    static String id(int branch, int account) {
        return "account-" + branch + '-' + account;
    }
}
