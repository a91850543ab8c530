// Connects with the arguments of the process, runs the steps one after the other, and says "done" after the last. A step that
// does not end in time fails with its name: a promise that never settles must not look like a slow machine.
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import couchbase from 'couchbase'

const STEP_MS = 60_000

function withinTime(name, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: not settled after ${STEP_MS} ms`)), STEP_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Runs steps: functions by name, which get the cluster and the prefix of everything that this run creates. */
export async function run(steps) {
  const [url, username, password, prefix] = process.argv.slice(2)
  const cluster = await withinTime('connect', couchbase.connect(url, { username, password }))
  for (const [name, step] of Object.entries(steps)) {
    try {
      await withinTime(name, step(cluster, prefix))
    } catch (failure) {
      console.error(`${name}: ${inspect(failure, { depth: 5 })}`)
      process.exit(1)
    }
    console.log(name)
  }
  await withinTime('close', cluster.close())
  console.log('done')
}

/** Repeats a check until it holds; the time limit is that of the step. */
export async function eventually(check) {
  for (;;) {
    if (await check()) {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export { assert, couchbase }
