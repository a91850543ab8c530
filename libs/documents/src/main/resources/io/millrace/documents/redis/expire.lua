-- Turns one document that is due into a tombstone.
--
-- KEYS  1 doc       HASH, the document
--       2 order     ZSET, by_seq
--       3 meta      HASH, the shard
--       4 expiries  ZSET, <cid>:<id> by second of expiry
--       5 ids       ZSET, <cid>:<id> of living documents
-- ARGV  1 inc       the incarnation that the caller believes in
--       2 counter   c:<cid>
--       3 ref       <cid>:<id>
--       4 now       second
-- Returns W done, N not due (any more), S unknown shard, incarnation or collection

local function expire(keys, args)
  local doc, order, meta, expiries, ids = keys[1], keys[2], keys[3], keys[4], keys[5]
  local inc, counter, ref, now = args[1], args[2], args[3], tonumber(args[4])

  local shard = start(meta, inc, now)
  if not shard or redis.call('HEXISTS', meta, counter) == 0 then return 'S' end
  local due = redis.call('ZSCORE', expiries, ref)
  if not due or tonumber(due) > now then return 'N' end

  local header = redis.call('HGET', doc, 'h')
  local _, _, _, revision, _, _, begin = parse(header)
  local seqno = advance(shard)
  redis.call('HDEL', doc, 'b', 'u')
  redis.call('HSET', doc, 'h', compose('E', cas_of(shard), seqno, revision + 1, now, 0, 'J\0\0\0\0', '') .. header:sub(begin))
  redis.call('ZREM', expiries, ref)
  redis.call('ZREM', ids, ref)
  redis.call('HINCRBY', meta, counter, -1)
  move(order, ref, 'L', 'E', seqno)
  finish(meta, shard)
  return 'W'
end

redis.register_function(LIBRARY .. '_expire', expire)
