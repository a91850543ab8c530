// What an SDK reads and changes about buckets, scopes, collections and functions.
import { assert, couchbase, eventually, run } from './start.mjs'

await run({
  async createBucket(cluster, prefix) {
    await cluster.buckets().createBucket({ name: prefix + 'made', ramQuotaMB: 100, numReplicas: 0 })
  },
  async createBucketAgain(cluster, prefix) {
    await assert.rejects(
      cluster.buckets().createBucket({ name: prefix + 'made', ramQuotaMB: 100 }),
      couchbase.BucketExistsError
    )
  },
  async getBucket(cluster, prefix) {
    const bucket = await cluster.buckets().getBucket(prefix + 'made')
    assert.equal(bucket.name, prefix + 'made')
    assert.equal(bucket.numReplicas, 0)
    assert.ok(bucket.ramQuotaMB > 0)
  },
  async getAllBuckets(cluster, prefix) {
    const names = (await cluster.buckets().getAllBuckets()).map((bucket) => bucket.name)
    assert.ok(names.includes(prefix + 'made'), names.join())
  },
  async getMissingBucket(cluster, prefix) {
    await assert.rejects(cluster.buckets().getBucket(prefix + 'absent'), couchbase.BucketNotFoundError)
  },
  async scopesAndCollections(cluster, prefix) {
    const collections = cluster.bucket(prefix + 'made').collections()
    await collections.createScope('shop')
    await collections.createCollection('orders', 'shop')
    const shop = (await collections.getAllScopes()).find((scope) => scope.name === 'shop')
    assert.deepEqual(shop.collections.map((collection) => collection.name), ['orders'])
    await assert.rejects(collections.createScope('shop'), couchbase.ScopeExistsError)
    await assert.rejects(collections.createCollection('orders', 'shop'), couchbase.CollectionExistsError)
    await assert.rejects(collections.createCollection('orders', 'absent'), couchbase.ScopeNotFoundError)
  },
  async documentInACollection(cluster, prefix) {
    const orders = cluster.bucket(prefix + 'made').scope('shop').collection('orders')
    await orders.upsert('1', { n: 1 })
    assert.deepEqual((await orders.get('1')).content, { n: 1 })
  },
  async dropCollectionAndScope(cluster, prefix) {
    const collections = cluster.bucket(prefix + 'made').collections()
    await collections.dropCollection('orders', 'shop')
    await assert.rejects(collections.dropCollection('orders', 'shop'), couchbase.CollectionNotFoundError)
    await collections.dropScope('shop')
    await assert.rejects(collections.dropScope('shop'), couchbase.ScopeNotFoundError)
    const names = (await collections.getAllScopes()).map((scope) => scope.name)
    assert.ok(!names.includes('shop'), names.join())
  },
  async functions(cluster, prefix) {
    const functions = cluster.eventingFunctions()
    const name = prefix.replaceAll('-', '_') + 'copy'
    await cluster.buckets().createBucket({ name: prefix + 'meta', ramQuotaMB: 100 })
    await functions.upsertFunction(new couchbase.EventingFunction({
      name,
      code: 'function OnUpdate(doc, meta) {}',
      sourceKeyspace: new couchbase.EventingFunctionKeyspace({ bucket: prefix + 'made' }),
      metadataKeyspace: new couchbase.EventingFunctionKeyspace({ bucket: prefix + 'meta' }),
      bucketBindings: [],
      urlBindings: [],
      constantBindings: [],
    }))
    const known = (await functions.functionsStatus()).functions.find((one) => one.name === name)
    assert.equal(known.status, couchbase.EventingFunctionStatus.Undeployed)
    assert.equal((await functions.getFunction(name)).code, 'function OnUpdate(doc, meta) {}')
    assert.ok((await functions.getAllFunctions()).some((one) => one.name === name))
    await functions.dropFunction(name)
    await assert.rejects(functions.getFunction(name), couchbase.EventingFunctionNotFoundError)
  },
  async flushAndDropBucket(cluster, prefix) {
    const buckets = cluster.buckets()
    await assert.rejects(buckets.flushBucket(prefix + 'absent'), couchbase.BucketNotFoundError)
    await buckets.dropBucket(prefix + 'made')
    await buckets.dropBucket(prefix + 'meta')
    await eventually(async () =>
      (await buckets.getAllBuckets()).every((bucket) => !bucket.name.startsWith(prefix)))
    await assert.rejects(buckets.dropBucket(prefix + 'made'), couchbase.BucketNotFoundError)
  },
})
