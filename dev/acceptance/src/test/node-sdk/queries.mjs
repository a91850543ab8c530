// Statements, prepared ones above all: those of this SDK once never returned. The bucket exists.
import { assert, couchbase, run } from './start.mjs'

await run({
  async plain(cluster) {
    assert.deepEqual((await cluster.query('SELECT 1 AS x')).rows, [{ x: 1 }])
  },
  async prepared(cluster) {
    for (let round = 0; round < 3; round++) {
      const { rows } = await cluster.query('SELECT $1 + 1 AS x', { adhoc: false, parameters: [round] })
      assert.deepEqual(rows, [{ x: round + 1 }])
    }
  },
  async preparedTogether(cluster) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        cluster.query('SELECT $n * 2 AS x', { adhoc: false, parameters: { n } }))
    )
    assert.deepEqual(answers.map((answer) => answer.rows[0].x), Array.from({ length: 20 }, (_, n) => n * 2))
  },
  async preparedThatCannotBe(cluster) {
    await assert.rejects(cluster.query('SELEC 1', { adhoc: false }), couchbase.ParsingFailureError)
  },
  async preparedOverDocuments(cluster, prefix) {
    await cluster.bucket(prefix + 'queries').defaultCollection().upsert('1', { kind: 'a' })
    await cluster.queryIndexes().createPrimaryIndex(prefix + 'queries')
    const { rows } = await cluster.query(`SELECT META(d).id, d.kind FROM \`${prefix}queries\` AS d WHERE d.kind = $1`, {
      adhoc: false,
      parameters: ['a'],
      scanConsistency: couchbase.QueryScanConsistency.RequestPlus,
    })
    assert.deepEqual(rows, [{ id: '1', kind: 'a' }])
  },
  async indexes(cluster, prefix) {
    const indexes = cluster.queryIndexes()
    await indexes.createIndex(prefix + 'queries', 'by_kind', ['kind'])
    const names = (await indexes.getAllIndexes(prefix + 'queries')).map((index) => index.name)
    assert.ok(names.includes('by_kind'), names.join())
    await indexes.dropIndex(prefix + 'queries', 'by_kind')
  },
  async bucketsByStatement(cluster, prefix) {
    await cluster.query(`CREATE SCOPE \`${prefix}queries\`.shop`)
    await cluster.query(`CREATE COLLECTION \`${prefix}queries\`.shop.orders`)
    const scopes = await cluster.bucket(prefix + 'queries').collections().getAllScopes()
    const shop = scopes.find((scope) => scope.name === 'shop')
    assert.deepEqual(shop.collections.map((collection) => collection.name), ['orders'])
    await cluster.query(`DROP SCOPE \`${prefix}queries\`.shop`)
  },
})
