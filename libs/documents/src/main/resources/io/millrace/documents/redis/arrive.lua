-- Brings keys, and with them a document's row, to a shard that a move has made ready.
--
-- KEYS  1 meta      HASH, the shard
--       2 order     ZSET, by_seq
--       3 expiries  ZSET, <cid>:<id> by second of expiry
--       4 ids       ZSET, <cid>:<id> of living documents, all with score 0
--       5 ...       what is brought
-- ARGV  1 move      names the caller
--       2 member    of by_seq, empty when what is brought is not a document
--       3 seqno     of that row
--       4 expiry    second, or empty
--       5 ...       for each key what DUMP gave for it, empty when there was none
-- Returns O done, S another move has taken over, or the shard is open

local KEPT = 4

local function arrive(keys, args)
  local order, expiries, ids, member = keys[2], keys[3], keys[4], args[2]

  if redis.call('HGET', keys[1], 'arriving') ~= args[1] then return 'S' end
  for i = KEPT + 1, #keys do
    if args[i] == '' then
      redis.call('DEL', keys[i])
    else
      redis.call('RESTORE', keys[i], 0, args[i], 'REPLACE')
    end
  end
  if member == '' then return 'O' end

  local state, ref = member:sub(2, 2), member:sub(3)
  place(order, member, args[3])
  if args[4] == '' then redis.call('ZREM', expiries, ref) else redis.call('ZADD', expiries, args[4], ref) end
  if state == 'L' then redis.call('ZADD', ids, 0, ref) else redis.call('ZREM', ids, ref) end
  return 'O'
end

redis.register_function(LIBRARY .. '_arrive', arrive)
