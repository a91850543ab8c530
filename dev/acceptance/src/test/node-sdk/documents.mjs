// Documents, parts of documents, and scans. The bucket exists.
import { assert, couchbase, eventually, run } from './start.mjs'

const { LookupInSpec, MutateInSpec } = couchbase
const SCANNED = 300

const docs = (cluster, prefix) => cluster.bucket(prefix + 'documents').defaultCollection()

async function ids(scan) {
  return (await scan).map((item) => item.id).sort()
}

await run({
  async upsertAndGet(cluster, prefix) {
    const written = await docs(cluster, prefix).upsert('order', { lines: [1, 2], total: 3 })
    const read = await docs(cluster, prefix).get('order')
    assert.deepEqual(read.content, { lines: [1, 2], total: 3 })
    assert.equal(read.cas.toString(), written.cas.toString())
  },
  async getMissing(cluster, prefix) {
    await assert.rejects(docs(cluster, prefix).get('absent'), couchbase.DocumentNotFoundError)
    assert.equal((await docs(cluster, prefix).exists('absent')).exists, false)
  },
  async insertTwice(cluster, prefix) {
    await docs(cluster, prefix).insert('once', {})
    await assert.rejects(docs(cluster, prefix).insert('once', {}), couchbase.DocumentExistsError)
  },
  async replaceWithStaleCas(cluster, prefix) {
    const { cas } = await docs(cluster, prefix).get('order')
    await docs(cluster, prefix).replace('order', { lines: [1, 2], total: 4 }, { cas })
    await assert.rejects(docs(cluster, prefix).replace('order', {}, { cas }), couchbase.CasMismatchError)
  },
  async subDocuments(cluster, prefix) {
    await docs(cluster, prefix).mutateIn('order', [
      MutateInSpec.increment('total', 2),
      MutateInSpec.arrayAppend('lines', 3),
      MutateInSpec.upsert('ship.to', 'Bern', { createPath: true }),
    ])
    const { content } = await docs(cluster, prefix).lookupIn('order', [
      LookupInSpec.get('total'),
      LookupInSpec.count('lines'),
      LookupInSpec.exists('ship.from'),
      LookupInSpec.get('absent'),
    ])
    assert.deepEqual(content.slice(0, 3).map((part) => part.value), [6, 3, false])
    assert.ok(content[3].error instanceof couchbase.PathNotFoundError)
    assert.deepEqual((await docs(cluster, prefix).get('order')).content, {
      lines: [1, 2, 3],
      total: 6,
      ship: { to: 'Bern' },
    })
  },
  async manyAtOnce(cluster, prefix) {
    const all = Array.from({ length: SCANNED }, (_, n) => `scan-${String(n).padStart(3, '0')}`)
    await Promise.all(all.map((id, n) => docs(cluster, prefix).upsert(id, { n })))
    const read = await Promise.all(all.map((id) => docs(cluster, prefix).get(id)))
    assert.deepEqual(read.map((one) => one.content.n), all.map((_, n) => n))
  },
  async rangeScan(cluster, prefix) {
    const scan = new couchbase.RangeScan(
      new couchbase.ScanTerm('scan-010'),
      new couchbase.ScanTerm('scan-012')
    )
    assert.deepEqual(await ids(docs(cluster, prefix).scan(scan)), ['scan-010', 'scan-011', 'scan-012'])
  },
  async prefixScan(cluster, prefix) {
    // the SDK once returned nothing, now and then, for a bucket that was full
    for (let round = 0; round < 5; round++) {
      const found = await ids(docs(cluster, prefix).scan(new couchbase.PrefixScan('scan-'), { idsOnly: true }))
      assert.equal(found.length, SCANNED)
    }
  },
  async samplingScan(cluster, prefix) {
    const found = await ids(docs(cluster, prefix).scan(new couchbase.SamplingScan(10)))
    assert.equal(new Set(found).size, 10)
  },
  async remove(cluster, prefix) {
    await docs(cluster, prefix).remove('order')
    await eventually(async () => !(await docs(cluster, prefix).exists('order')).exists)
    await assert.rejects(docs(cluster, prefix).remove('order'), couchbase.DocumentNotFoundError)
  },
})
