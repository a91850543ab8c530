// Transactions of several clients on the same few documents. The bucket exists.
import { assert, couchbase, run } from './start.mjs'

const ACCOUNTS = 3
const BALANCE = 100
const TRANSFERS = 5
const SUMS = 5

/** The longest time that a client lets the others go first. */
const PAUSE_MS = 100

const PATIENCE = { timeout: 55_000 }

/** Counts changes as well, so that no body ever comes back: the SDK may take one that does for unchanged. */
const changed = ({ content }, by) => ({ balance: content.balance + by, changes: content.changes + 1 })

const ids = Array.from({ length: ACCOUNTS }, (_, n) => `account-${n}`)
const accounts = (cluster, prefix) => cluster.bucket(prefix + 'transactions').defaultCollection()

/**
 * Runs a transaction until it is committed. This SDK rolls a transaction back and fails where it meets another one, while those
 * for other languages begin it again; without pauses of different lengths the same client would lose each time. One that fails
 * for a reason of time, or may have been committed, fails the step.
 */
async function committed(cluster, steps) {
  for (;;) {
    try {
      return await cluster.transactions().run(steps, PATIENCE)
    } catch (failure) {
      if (!(failure instanceof couchbase.TransactionFailedError)) {
        throw failure
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS))
    }
  }
}

async function transfer(cluster, collection, from, to) {
  await committed(cluster, async (attempt) => {
    const payer = await attempt.get(collection, from)
    const payee = await attempt.get(collection, to)
    await attempt.replace(payer, changed(payer, -7))
    await attempt.replace(payee, changed(payee, 7))
  })
}

/** Writes back what it has read, so that it commits only if no other one has changed an account meanwhile. */
async function sum(cluster, collection) {
  let sum
  await committed(cluster, async (attempt) => {
    sum = 0
    for (const id of ids) {
      const account = await attempt.get(collection, id)
      sum += account.content.balance
      await attempt.replace(account, changed(account, 0))
    }
  })
  return sum
}

async function transfers(cluster, collection) {
  for (let n = 0; n < TRANSFERS; n++) {
    await transfer(cluster, collection, ids[n % ACCOUNTS], ids[(n + 1) % ACCOUNTS])
  }
}

async function sums(cluster, collection) {
  for (let n = 0; n < SUMS; n++) {
    assert.equal(await sum(cluster, collection), ACCOUNTS * BALANCE)
  }
}

await run({
  async open(cluster, prefix) {
    await Promise.all(ids.map((id) => accounts(cluster, prefix).insert(id, { balance: BALANCE, changes: 0 })))
  },
  async failedAttempt(cluster, prefix) {
    const collection = accounts(cluster, prefix)
    const failed = cluster.transactions().run(async (attempt) => {
      await attempt.replace(await attempt.get(collection, ids[0]), { balance: 0 })
      throw new Error('the author gives up')
    }, PATIENCE)
    await assert.rejects(failed, couchbase.TransactionFailedError)
    assert.equal((await collection.get(ids[0])).content.balance, BALANCE)
  },
  async contendedTransfers(cluster, prefix) {
    const [url, username, password] = process.argv.slice(2)
    const other = await couchbase.connect(url, { username, password })
    await Promise.all([
      transfers(cluster, accounts(cluster, prefix)),
      transfers(other, accounts(other, prefix)),
      sums(cluster, accounts(cluster, prefix)),
    ])
    await other.close()
    const read = await Promise.all(ids.map((id) => accounts(cluster, prefix).get(id)))
    const balances = read.map((account) => account.content.balance)
    // each client moves 7 once more out of the first account than into it, and into the last one
    assert.deepEqual(balances, [BALANCE - 14, BALANCE, BALANCE + 14])
  },
})
