-- Keeps a dead letter, in place of one of the same name, if the caller still owns its vbucket. Letters above the limit
-- are dropped, the oldest first.
--
-- KEYS  1 letters      HASH, letters as JSON by name; field #: how many were ever kept
--       2 order        ZSET, names by their number
--       3 replays      SET, names of letters that wait for a replay
--       4 checkpoints  HASH, see claim.lua of checkpoints
-- ARGV  1 vbucket
--       2 epoch        with which the caller owns the vbucket
--       3 name
--       4 letter       JSON
--       5 limit        how many letters are kept
-- Returns { how many letters were dropped, or -1 when the epoch is not current and nothing was written }

local function bury(keys, args)
  local letters, order, replays, checkpoints = keys[1], keys[2], keys[3], keys[4]
  local vbucket, epoch, name, letter, limit = args[1], args[2], args[3], args[4], tonumber(args[5])

  local checkpoint = redis.call('HGET', checkpoints, vbucket)
  if not checkpoint or string.match(checkpoint, '^1 (%d+) ') ~= epoch then
    return { -1 }
  end
  local number = redis.call('HINCRBY', letters, '#', 1)
  redis.call('HSET', letters, name, letter)
  redis.call('ZADD', order, number, name)
  redis.call('SREM', replays, name)
  local surplus = redis.call('ZCARD', order) - limit
  local dropped = surplus > 0 and redis.call('ZRANGE', order, 0, surplus - 1) or {}
  for _, oldest in ipairs(dropped) do
    redis.call('HDEL', letters, oldest)
    redis.call('ZREM', order, oldest)
    redis.call('SREM', replays, oldest)
  end
  return { #dropped }
end

redis.register_function(LIBRARY .. '_bury', bury)
